import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastJson from 'fast-json-stringify'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { ISLAND, OBSERVATION } from '../support/island.ts'
import type { OpenApi } from '../support/openapi.ts'
import { build } from '../support/service.ts'

/* What generators of clients make of the documents, while several datasets hold the same parishes in several spellings. */

const [toilet] = ISLAND.toilets
const CONTENT = {
  ...ISLAND,
  toilets: [
    ...ISLAND.toilets,
    ...['St Helier', 'ST. HELIER', 'Grouville'].map((parish, index) => ({
      ...toilet,
      ...{ id: `7a0f3a52-9c2e-4b7c-9d3c-6f0a3d2b1d0${index}`, name: `Steps ${index}`, parish },
    })),
  ],
}

/** Calls with each part of a document, and where it is. */
function visit(node: unknown, see: (part: Record<string, unknown>, path: string) => void, path = '#'): void {
  if (typeof node !== 'object' || node === null) return
  see(node as Record<string, unknown>, path)
  for (const [key, part] of Object.entries(node)) visit(part, see, `${path}/${key}`)
}

/** The one type of the standard library that is used: reading the library takes longer than all else. */
const LIBRARY = 'type Record<K extends string, V> = { [P in K]: V }\n'

/** What TypeScript has against a file by itself. */
function mistakesIn(generated: string): string[] {
  const text = LIBRARY + generated
  const options = { noEmit: true, strict: true, noLib: true, types: [], target: ts.ScriptTarget.ES2022 }
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (name, ...rest) =>
    name === 'schema.ts'
      ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022)
      : getSourceFile(name, ...rest)
  const program = ts.createProgram(['schema.ts'], options, host)
  const found = [...program.getSyntacticDiagnostics(), ...program.getSemanticDiagnostics()]
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

test('generators of clients understand the documents', async t => {
  const { app } = await build(t, CONTENT, { observation: OBSERVATION })
  const read = async (path: string): Promise<OpenApi> => (await app.inject(path)).json()

  for (const path of ['/openapi.json', '/ogc/api']) {
    await t.test(`${path} names each value of an enumeration once, in one spelling`, async () => {
      let enumerations = 0
      visit(await read(path), ({ enum: values }, where) => {
        if (!Array.isArray(values)) return
        enumerations++
        assert.deepEqual(values, [...new Set(values)], where)
        const parishes = values.filter(value => /^st\.? helier$/i.test(value))
        assert.ok(parishes.length <= 1, `${where}: ${parishes}`)
      })
      assert.ok(enumerations > 20, String(enumerations))
    })

    await t.test(`openapi-typescript makes types and enumerations of ${path} that compile`, async () => {
      const text = astToString(await openapiTS((await read(path)) as unknown as OpenAPI3, { enum: true }))
      assert.match(text, /enum \w+ParametersQueryParish\w* \{/)
      assert.deepEqual(mistakesIn(text), [])
    })

    await t.test(`fast-json-stringify compiles every schema of ${path}`, async () => {
      const document = await read(path)
      const texts = new Set<string>()
      visit(document, ({ schema, schemas }) => {
        for (const each of [schema, ...Object.values((schemas as object | undefined) ?? {})])
          if (each !== undefined) texts.add(JSON.stringify(each))
      })
      const { components } = document
      for (const text of texts)
        fastJson({ ...JSON.parse(text), ...(text.includes('$ref') && { components }) } as never)
      assert.ok(texts.size > 20, String(texts.size))
    })
  }

  await t.test('a value that is there twice would be found', async () => {
    const document = await read('/openapi.json')
    const parameters = document.paths['/v1/places']?.get.parameters
    const parish = parameters?.find(each => 'name' in each && each.name === 'parish')
    assert.ok(parish !== undefined && 'schema' in parish)
    const [{ enum: values }] = parish.schema.anyOf as [{ enum: string[] }]
    values.push(String(values[0]))
    assert.throws(() => fastJson(parish.schema as never), /duplicate/)
    const text = astToString(await openapiTS(document as unknown as OpenAPI3, { enum: true }))
    assert.match(mistakesIn(text).join(), /Duplicate identifier/)
  })
})
