// The directions of imports in src: a layer may import itself and the layers below it, never one above.

/** From the top down; folders and files of `src`. */
const LAYERS = [
  ['main.ts'],
  ['cli'],
  ['app', 'demo'],
  ['interfaces'],
  ['datasets', 'parking'],
  ['columnar', 'releases', 'formats'],
  ['store', 'sources'],
  ['query', 'config.ts'],
  ['values'],
]

/** Files that everything may import. */
const EVERYWHERE = ['errors.ts', 'version.ts']

/** Folders outside the layers, with all that they may import. */
const ASIDE = { http: ['limits', 'values'], limits: ['values'] }

/** Patterns of files that break a rule today, each to be taken off this list when it no longer does. */
const EXCEPTIONS = {
  // Interfaces and their parts that import each other's types.
  circles: ['releases/import/coerce/.*', 'store/.*'],
  // The row of a table stands in the store, until a response is written by a format.
  http: ['http/response/representation.ts'],
  // Refusals, blanks and the names of columns stand in the import, which used to be the readers' only user.
  sources: ['sources/.*'],
}

const exceptions = files => files.map(file => `^src/${file}$`)

/** Matches these files, and all files in these folders. */
const pattern = names => `^src/(${names.join('|')})($|/)`

const TESTS = '\\.test\\.ts$'

const layers = LAYERS.map((layer, index) => ({
  name: `nothing-above-${layer.join('-').replaceAll('.ts', '')}`,
  severity: 'error',
  comment: `${layer.join(', ')} may not know the layers above`,
  from: { path: pattern(layer), pathNot: [TESTS, ...exceptions(EXCEPTIONS.sources)] },
  to: { path: pattern([...LAYERS.slice(0, index).flat(), 'nothing']) },
}))

const aside = Object.entries(ASIDE).map(([name, known]) => ({
  name: `${name}-knows-little`,
  severity: 'error',
  comment: `${name} knows ${known.join(', ')} and nothing else of the house`,
  from: { path: pattern([name]), pathNot: [TESTS, ...exceptions(EXCEPTIONS.http)] },
  to: { path: '^src/', pathNot: pattern([name, ...known, ...EVERYWHERE]) },
}))

export default {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: { path: '^src/', pathNot: [TESTS, ...exceptions(EXCEPTIONS.circles)] },
      to: { circular: true },
    },
    ...layers,
    ...aside,
    {
      name: 'folders-of-one-layer-in-one-direction',
      severity: 'error',
      comment: 'folders that stand side by side know each other in one direction only',
      from: {
        path: '^src/(datasets|store|columnar|releases)/',
        pathNot: TESTS,
      },
      to: { path: '^src/(parking|formats)/' },
    },
    {
      name: 'one-dataset-knows-no-other',
      severity: 'error',
      from: { path: '^src/datasets/([^/]+)/', pathNot: TESTS },
      to: { path: '^src/datasets/([^/]+)/', pathNot: '^src/datasets/$1/' },
    },
    {
      name: 'sql-in-the-store-only',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/store/', TESTS] },
      to: { path: ['node_modules/(kysely|pg|@photostructure/sqlite)/', 'sqlite$'] },
    },
    {
      name: 'no-tests-in-the-product',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
      to: { path: ['^(test|bench)/', TESTS] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
  },
}
