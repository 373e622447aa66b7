// The directions of imports in src: a layer may import itself and the layers below it, never one above.

/** From the top down; folders and files of `src`. */
const LAYERS = [
  ['main.ts'],
  ['cli'],
  ['app'],
  ['publishing'],
  ['interfaces'],
  ['datasets', 'parking'],
  ['releases', 'formats'],
  ['store', 'sources', 'notifications'],
  ['columnar'],
  ['query'],
  ['island'],
  ['config-file.ts'],
  ['config.ts'],
  ['values'],
]

/** Folders of one layer of which the first may not import the second. */
const SIDE_BY_SIDE = [
  ['datasets', 'parking'],
  ['releases', 'formats'],
  ['store', 'notifications'],
  ['sources', 'notifications'],
]

/** Folders that know little of the house, with all that they may import. */
const ASIDE = {
  http: ['limits', 'values', 'errors.ts', 'version.ts'],
  limits: ['values'],
  query: ['values', 'island'],
}

/** Matches these files, and all files in these folders. */
const pattern = names => `^src/(${names.join('|')})($|/)`

const TESTS = '\\.test\\.ts$'

const layers = LAYERS.map((layer, index) => ({
  name: `nothing-above-${layer.join('-').replaceAll('.ts', '')}`,
  severity: 'error',
  comment: `${layer.join(', ')} may not know the layers above`,
  from: { path: pattern(layer), pathNot: TESTS },
  to: { path: pattern([...LAYERS.slice(0, index).flat(), 'nothing']) },
}))

const aside = Object.entries(ASIDE).map(([name, known]) => ({
  name: `${name}-knows-little`,
  severity: 'error',
  comment: `${name} knows ${known.join(', ')} and nothing else of the house`,
  from: { path: pattern([name]), pathNot: TESTS },
  to: { path: '^src/', pathNot: pattern([name, ...known]) },
}))

const sideBySide = SIDE_BY_SIDE.map(([from, to]) => ({
  name: `${from}-without-${to}`,
  severity: 'error',
  comment: 'folders of one layer know each other in one direction only',
  from: { path: `^src/${from}/`, pathNot: TESTS },
  to: { path: `^src/${to}/` },
}))

export default {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
      to: { circular: true },
    },
    {
      name: 'no-circles-at-run-time',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'pages-know-their-contract',
      severity: 'error',
      comment:
        'the explorer knows the registry of problems, types of its contract with the service, what makes addresses, and the client',
      from: { path: '^web/src/' },
      to: {
        path: '^src/',
        pathNot: '^src/(errors\\.ts|values/addresses/address-of\\.ts|interfaces/web/explorer\\.ts)$',
      },
    },
    ...layers,
    ...aside,
    ...sideBySide,
    {
      name: 'commands-without-the-app',
      severity: 'error',
      comment: 'only the commands that start a service know what it is made of',
      from: { path: '^src/cli/', pathNot: [TESTS, '^src/cli/(listening|commands/demo)\\.ts$'] },
      to: { path: '^src/app/' },
    },
    {
      name: 'one-dataset-knows-no-other',
      severity: 'error',
      from: { path: '^src/datasets/([^/]+)/', pathNot: TESTS },
      to: { path: '^src/datasets/([^/]+)/', pathNot: '^src/datasets/$1/' },
    },
    {
      name: 'demo-for-its-command-alone',
      severity: 'error',
      comment: 'a service without the demo never loads the synthetic island',
      from: { path: '^src/', pathNot: [TESTS, '^src/cli/commands/demo\\.ts$'] },
      to: { path: '^demo/' },
    },
    {
      name: 'demo-lazily',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
      to: { path: '^demo/', dynamic: false },
    },
    {
      name: 'parking-without-its-routes',
      severity: 'error',
      comment: 'the feed, the model and the service know nothing of the routes that show them',
      from: { path: '^src/parking/', pathNot: ['^src/parking/routes/', TESTS] },
      to: { path: '^src/parking/routes/' },
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
      from: { path: '^(src|demo)/', pathNot: TESTS },
      to: { path: ['^(test|bench)/', TESTS] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
  },
}
