/** The names of a dataset in code and texts. The name of a dataset may be singular, such as `recycling`. */
function namesOf(name: string) {
  const one = name.replace(/ies$/, 'y').replace(/(?<=x|ch|sh|ss)es$|(?<!s)s$/, '')
  const [noun, nouns] = [one.replaceAll('-', ' '), name.replaceAll('-', ' ')]
  return { noun, nouns, type: inCapitals(one), listed: inCapitals(name), constant: constantOf(name) }
}

const inCapitals = (name: string) => name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
/** The name of a dataset's constant in code. */
export const constantOf = (name: string) => name.charAt(0) + inCapitals(name).slice(1)
const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The files with lists of all datasets. */
export const LISTS = { datasets: 'src/datasets/index.ts', island: 'demo/island.ts' }
const CHANGES = 'docs/reference/changes.md'

/** The first files of a dataset of places: the whole content by path. `read` reads a file of the repository. */
export function datasetSkeleton(name: string, read: (path: string) => string): ReadonlyMap<string, string> {
  const constant = constantOf(name)
  const key = name === constant ? name : `'${name}'`
  const datasets = withImport(read(LISTS.datasets), constant, `./${name}/index.ts`)
  const island = withImport(read(LISTS.island), constant, `./datasets/${name}.ts`)
  const source = `  ${key}: seed => [JSON.stringify(${constant}(seed))],`
  return new Map([
    [`src/datasets/${name}/schema.ts`, schemaText(name)],
    [`src/datasets/${name}/index.ts`, declarationText(name)],
    [LISTS.datasets, withLines(datasets, /const DATASETS\b[\s\S]*?\n(?=\])/, `  ${constant},`)],
    [`demo/datasets/${name}.ts`, inventionText(name)],
    [LISTS.island, withLines(island, /const SOURCES\b[\s\S]*?\n(?=\})/, source)],
    [
      CHANGES,
      withLines(read(CHANGES), /[\s\S]*^## GET \S+\/changes\n(?:(?!^## )[\s\S])*/m, changesText(name)),
    ],
  ])
}

/** Adds an import in the order of addresses. */
function withImport(source: string, constant: string, address: string): string {
  const before = [...source.matchAll(/^import .* from '(\S+)'\n/gm)].filter(
    ([, other = '']) => !other.startsWith('./') || other < address,
  )
  const last = before.at(-1)
  const at = last === undefined ? 0 : last.index + last[0].length
  return `${source.slice(0, at)}import { ${constant} } from '${address}'\n${source.slice(at)}`
}

/** Adds lines after the text that the pattern finds. */
function withLines(source: string, after: RegExp, lines: string): string {
  const found = after.exec(source)
  if (found === null) throw new Error(`nothing matches ${after}`)
  const at = found.index + found[0].length
  return `${source.slice(0, at)}${lines}\n${source.slice(at)}`
}

function schemaText(name: string): string {
  const { noun, type } = namesOf(name)
  return `import Type from 'typebox'
import * as field from '../fields.ts'

/** A ${noun}. */
export const ${type} = Type.Object(
  {
    id: field.id(),
    createdAt: field.createdAt(),
    name: field.text({ description: 'Name, in the publisher’s spelling.', examples: ['Example'] }),
    parish: field.parish(),
    latitude: field.latitude(),
    longitude: field.longitude(),
  },
  { $id: '${type}', title: '${sentence(noun)}', description: 'A ${noun}.' },
)
export type ${type} = Type.Static<typeof ${type}>
`
}

function declarationText(name: string): string {
  const { nouns, type, constant, listed } = namesOf(name)
  return `import { declareDataset } from '../dataset.ts'
import { ${type} } from './schema.ts'

/** ${sentence(nouns)}. */
export const ${constant} = declareDataset({
  name: '${name}',
  title: '${sentence(nouns)}',
  description: '${sentence(nouns)}.',
  knownBy: ['name', 'parish'],
  essential: ['latitude', 'longitude'],
  record: ${type},
  identity: { kind: 'uuid', naturalKey: record => \`\${record.name}|\${record.parish}\` },
  columnAliases: {},
  list: { operationId: 'list${listed}', summary: 'All ${nouns}' },
})
`
}

function inventionText(name: string): string {
  const { noun, nouns, constant } = namesOf(name)
  return `import { CREATED_AT, islandId } from '../island-facts.ts'
import { seededRandom } from '../random.ts'
import { PARISH, placeNames, pointIn } from './places.ts'

const COUNT = 40

/** The island's ${nouns} in the API's own form. */
export function ${constant}(seed: number) {
  const random = seededRandom(seed, '${name}')
  const place = placeNames(random)
  const results = Array.from({ length: COUNT }, (_, index) => {
    const parish = random.weighted(PARISH)
    return {
      id: islandId(seed, '${noun}', index),
      createdAt: CREATED_AT,
      name: place(),
      parish: parish.name,
      ...pointIn(parish, random),
    }
  })
  return { results }
}
`
}

const changesText = (name: string) => `## GET /v1/${name}/changes

As [for vehicles](#get-v1vehicleschanges).

| parameter | default | meaning |
|---|---|---|
| \`since\` | the release before | As for vehicles. |
| \`format\` | \`json\` | \`ndjson\` for a change a line. |
`
