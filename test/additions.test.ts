import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schemaText } from '../client/scripts/schema-text.ts'
import { DATASETS } from '../src/datasets/index.ts'
import { readMetadata } from '../src/datasets/metadata.ts'
import { originOf } from '../src/datasets/origin.ts'
import { ISLAND_DATASETS } from '../src/demo/island.ts'
import { FORMATS } from '../src/formats/formats.ts'
import { LiveSpaces } from '../src/parking/routes/live-schema.ts'
import { kindOf } from '../web/src/places/kinds.ts'
import { PLACES } from './support/island.ts'
import { pages, read, rowNames, sections, sorted } from './support/markdown.ts'
import { type OpenApi, parametersOf } from './support/openapi.ts'
import { build } from './support/service.ts'

/*
 * What a dataset, a format or a filter needs besides its own file: each line names the file to write, and what to put there.
 * Documentation of what the service does not have is named too.
 */

const DOCS = 'docs/reference'
const METADATA = 'docs/examples/metadata-jersey.json'
const shown = (names: readonly string[]) => names.map(name => `\`${name}\``).join(', ')

test('nothing is missing of what datasets, formats and filters need besides their own files', async t => {
  const environment = { SECURITY_CONTACT: 'mailto:security@data.example' }
  const { app } = await build(t, {}, { environment })
  const missing = [
    ...missingFiles(),
    ...missingFields(),
    ...missingFormats(),
    ...missingEndpoints(app.document() as OpenApi),
  ]
  if (read('client/src/schema.ts') !== (await schemaText()))
    missing.push('client/src/schema.ts: `npm run generate` writes it')
  assert.ok(missing.length === 0, `Still to write:\n${missing.map(line => `  ${line}`).join('\n')}`)
})

/** Invented data, the publisher, and for places their words and their icon. */
function missingFiles(): string[] {
  const metadata = readMetadata(METADATA, DATASETS)
  const icons = read('web/src/places/place-icons.tsx')
  return DATASETS.flatMap(({ name }) => {
    const { publisher, licence, licenceUrl, sourceUrl } = originOf(metadata, {
      dataset: name,
      synthetic: false,
    })
    const isPlace = PLACES.includes(name)
    const needs: readonly (readonly [isThere: boolean, file: string])[] = [
      [
        ISLAND_DATASETS.includes(name),
        `src/demo/datasets/${name}.ts: a function that invents its records; name it in SOURCES of src/demo/island.ts`,
      ],
      [
        Boolean(publisher && licence && licenceUrl && sourceUrl),
        `${METADATA}: in "datasets" an entry "${name}" with its "sourceUrl", and its publisher where that is another one`,
      ],
      [
        !isPlace || kindOf(name) !== undefined,
        `web/src/places/kinds.ts: in KINDS a line for '${name}', what people call one and many of them`,
      ],
      [
        !isPlace || icons.includes(`<symbol id="place-${name}"`),
        `web/src/places/place-icons.tsx: a <symbol id="place-${name}">, its icon on the map`,
      ],
    ]
    return needs.flatMap(([isThere, file]) => (isThere ? [] : [file]))
  })
}

/** Compares the rows of a table with what there is. */
function missingRows(where: string, documented: readonly string[], actual: readonly string[]): string[] {
  const [absent, extra] = [
    actual.filter(name => !documented.includes(name)),
    documented.filter(name => !actual.includes(name)),
  ]
  return [
    ...(absent.length > 0 ? [`${where} a row for each of ${shown(absent)}`] : []),
    ...(extra.length > 0 ? [`${where} no row for ${shown(extra)}, which the service does not have`] : []),
  ]
}

function missingFields(): string[] {
  const documented = sections(read(`${DOCS}/datasets.md`), '##')
  const records = DATASETS.map(({ name, record }) => [name, record] as const)
  const all = [...records, ['Live spaces', LiveSpaces.properties.results.items] as const]
  return all.flatMap(([name, record]) =>
    missingRows(
      `${DOCS}/datasets.md: below "## ${name}"`,
      rowNames(documented.get(name)),
      Object.keys(record.properties),
    ),
  )
}

function missingFormats(): string[] {
  const [table = ''] = read(`${DOCS}/formats.md`).split('\n## ')
  const names = FORMATS.map(({ name }) => name)
  return missingRows(`${DOCS}/formats.md: in the first table`, rowNames(table), names)
}

/** The page of the reference that has an endpoint. */
function pageOf(path: string): string {
  const dataset = DATASETS.find(each => path.startsWith(`${each.path}/`) || path === each.path)
  if (dataset !== undefined && path.endsWith('/stats')) return 'counts.md'
  if (dataset !== undefined && path.endsWith('/changes')) return 'changes.md'
  return dataset !== undefined && PLACES.includes(dataset.name) ? 'places.md' : 'endpoints.md'
}

function missingEndpoints({ paths, components, ...document }: OpenApi): string[] {
  const reference = pages().filter(page => page.startsWith(`${DOCS}/`))
  const text = reference.map(read).join('\n## \n')
  const documented = reference.flatMap(page =>
    [...sections(read(page), '##')]
      .filter(([heading]) => heading.startsWith('GET /'))
      .map(([heading, section]) => ({ page, path: heading.slice('GET '.length), section })),
  )
  const aliases = documented.flatMap(({ section }) => /Also available at `([^`]+)`/.exec(section)?.[1] ?? [])
  const known = [...documented.map(({ path }) => path), ...aliases]
  // What a shared one means of an endpoint in particular may be said there too.
  const shared = rowNames(sections(read(`${DOCS}/formats.md`), '##').get('Parameters'))
  const parametersAt = (path: string) =>
    parametersOf({ paths, components, ...document }, paths[path]?.get ?? { responses: {} })
      .filter(({ in: place, name }) => place === 'query' && !shared.includes(name))
      .map(({ name }) => name)
  return [
    ...sorted(Object.keys(paths)).flatMap(path => {
      if (known.includes(path)) return []
      const rows = parametersAt(path)
      const table = rows.length > 0 ? `, with a row for each of ${shown(rows)}` : ''
      return [`${DOCS}/${pageOf(path)}: a section "## GET ${path}"${table}`]
    }),
    ...documented.flatMap(({ page, path, section }) => {
      if (!(path in paths)) return [`${page}: no section "## GET ${path}", which the service does not have`]
      const rows = parametersIn(section, text).filter(name => !shared.includes(name))
      return missingRows(`${page}: below "## GET ${path}"`, rows, parametersAt(path))
    }),
    ...aliases.flatMap(path =>
      path in paths ? [] : [`${DOCS}: no alias ${path}, which the service does not have`],
    ),
  ]
}

/** The parameters in the tables of a section; a row that links to another section stands for those of that one. */
function parametersIn(section: string, text: string): string[] {
  const rows = [
    ...section.matchAll(
      /^\| (?:`([\w-]+)`|\[.*?\]\((?:[\w-]+\.md)?#([\w-]+)\)) (?:\|(?:\\\||[^|])*){2}\|$/gm,
    ),
  ]
  return rows.flatMap(([, name, anchor]) => {
    if (name !== undefined) return [name]
    const [, linked = ''] =
      [...sections(text, '##')].find(([heading]) => heading.toLowerCase().replaceAll(' ', '-') === anchor) ??
      []
    return parametersIn(linked, text)
  })
}
