import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schemaText } from '../client/scripts/schema-text.ts'
import { ISLAND_DATASETS } from '../demo/island.ts'
import { DATASETS } from '../src/datasets/index.ts'
import { readMetadata } from '../src/datasets/metadata.ts'
import { originOf } from '../src/datasets/origin.ts'
import { FORMATS } from '../src/formats/formats.ts'
import { LiveSpaces } from '../src/parking/live-schema.ts'
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
const listed = (names: readonly string[]) => names.map(name => `\`${name}\``).join(', ')

test('nothing is missing of what datasets, formats and filters need besides their own files', async t => {
  const environment = { SECURITY_CONTACT: 'mailto:security@data.example' }
  const { app } = await build(t, {}, { environment })
  const missing = [
    ...missingParts(),
    ...missingRows(),
    ...missingEndpoints(app.document() as OpenApi),
    ...((await schemaText()) === read('client/src/schema.ts')
      ? []
      : ['client/src/schema.ts: `npm run generate` writes it']),
  ]
  assert.ok(missing.length === 0, `Still to write:\n  ${missing.join('\n  ')}`)
})

/** The description, the invented source and the publisher of each dataset, and for places their words and their icon. */
function missingParts(): string[] {
  const metadata = readMetadata(METADATA, DATASETS)
  const icons = read('web/src/places/place-icons.tsx')
  return DATASETS.flatMap(({ name, description }) => {
    const isStated = ({ publisher, licence, licenceUrl, sourceUrl }: ReturnType<typeof originOf>) =>
      publisher && licence && licenceUrl && sourceUrl
    const missing: string[] = []
    if (description.length < 50)
      missing.push(`src/datasets/${name}/index.ts: a description of 50 characters, which search engines want`)
    if (!ISLAND_DATASETS.includes(name))
      missing.push(`demo/datasets/${name}.ts: a function that invents it, for SOURCES of demo/island.ts`)
    if (!isStated(originOf(metadata, { dataset: name, synthetic: false })))
      missing.push(
        `${METADATA}: in "datasets" an entry "${name}" with its "sourceUrl", and its own publisher if any`,
      )
    if (PLACES.includes(name) && kindOf(name) === undefined)
      missing.push(
        `web/src/places/kinds.ts: in KINDS a line for '${name}', and its names in web/src/texts/en/places.ts`,
      )
    if (PLACES.includes(name) && !icons.includes(`<symbol id="place-${name}"`))
      missing.push(`web/src/places/place-icons.tsx: a <symbol id="place-${name}">, the icon of its places`)
    return missing
  })
}

/** Compares the rows of a table with what there is. */
function differences(where: string, rows: readonly string[], actual: readonly string[]): string[] {
  const absent = actual.filter(name => !rows.includes(name))
  const extra = rows.filter(name => !actual.includes(name))
  return [
    ...(absent.length > 0 ? [`${where} a row for ${listed(absent)}`] : []),
    ...(extra.length > 0 ? [`${where} no row for ${listed(extra)}, which the service does not have`] : []),
  ]
}

/** The fields of records, and the formats. */
function missingRows(): string[] {
  const documented = sections(read(`${DOCS}/datasets.md`), '##')
  const records = DATASETS.map(({ name, record }) => [name, record] as const)
  const [formats] = read(`${DOCS}/formats.md`).split('\n## ')
  return [
    ...[...records, ['Live spaces', LiveSpaces.properties.results.items] as const].flatMap(([name, record]) =>
      differences(
        `${DOCS}/datasets.md: below "## ${name}"`,
        rowNames(documented.get(name)),
        Object.keys(record.properties),
      ),
    ),
    ...differences(
      `${DOCS}/formats.md: in the first table`,
      rowNames(formats),
      FORMATS.map(({ name }) => name),
    ),
  ]
}

/** The page of the reference that an endpoint belongs to. */
function pageOf(path: string): string {
  const dataset = DATASETS.find(each => `${path}/`.startsWith(`${each.path}/`))
  if (dataset !== undefined && path.endsWith('/stats')) return 'counts.md'
  if (dataset !== undefined && path.endsWith('/changes')) return 'changes.md'
  return dataset !== undefined && PLACES.includes(dataset.name) ? 'places.md' : 'endpoints.md'
}

function missingEndpoints(document: OpenApi): string[] {
  const reference = pages().filter(page => page.startsWith(`${DOCS}/`))
  const text = reference.map(read).join('\n## \n')
  const documented = reference.flatMap(page =>
    [...sections(read(page), '##')]
      .filter(([heading]) => heading.startsWith('GET /'))
      .map(([heading, section]) => ({ page, path: heading.slice('GET '.length), section })),
  )
  const aliases = documented.flatMap(({ page, section }) => {
    const [, path] = /Also available at `([^`]+)`/.exec(section) ?? []
    return path === undefined ? [] : [{ page, path }]
  })
  const known = [...documented, ...aliases]
  // What a shared one means of an endpoint in particular may be said there too.
  const shared = rowNames(sections(read(`${DOCS}/formats.md`), '##').get('Parameters'))
  const parametersAt = (path: string) =>
    parametersOf(document, document.paths[path]?.get ?? { responses: {} })
      .filter(({ in: place, name }) => place === 'query' && !shared.includes(name))
      .map(({ name }) => name)
  return [
    ...sorted(Object.keys(document.paths)).flatMap(path => {
      if (known.some(each => each.path === path)) return []
      const rows = listed(parametersAt(path))
      return [`${DOCS}/${pageOf(path)}: a section "## GET ${path}"${rows && `, with a row for ${rows}`}`]
    }),
    ...known.flatMap(({ page, path }) =>
      path in document.paths ? [] : [`${page}: no "GET ${path}", which the service does not have`],
    ),
    ...documented.flatMap(({ page, path, section }) => {
      const rows = parametersIn(section, text).filter(name => !shared.includes(name))
      return differences(`${page}: below "## GET ${path}"`, rows, parametersAt(path))
    }),
  ]
}

/** The parameters in the tables of a section; a row that links to another section stands for those of that one. */
function parametersIn(section: string, text: string): string[] {
  const rows = section.matchAll(
    /^\| (?:`([\w-]+)`|\[.*?\]\((?:[\w-]+\.md)?#([\w-]+)\)) (?:\|(?:\\\||[^|])*){2}\|$/gm,
  )
  return [...rows].flatMap(([, name, anchor]) => {
    if (name !== undefined) return [name]
    const isLinked = (heading: string) => heading.toLowerCase().replaceAll(' ', '-') === anchor
    const [, linked = ''] = [...sections(text, '##')].find(([heading]) => isLinked(heading)) ?? []
    return parametersIn(linked, text)
  })
}
