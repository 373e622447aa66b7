import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/*
 * Builds the service into dist: few files in place of some 1,400, as half of the time of a start went into finding and linking
 * them. The packages that it uses are in these files too; their licences are in licences.md beside them.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** What is started by its address: the program and each worker thread. */
const entries = readdirSync(join(ROOT, 'src'), { recursive: true }).filter(
  file => file === 'main.ts' || file.endsWith('worker.ts'),
)

await build({
  root: ROOT,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  build: {
    ssr: true,
    outDir: 'dist',
    target: 'node20',
    minify: false,
    license: { fileName: 'licences.md' },
    rolldownOptions: {
      input: Object.fromEntries(entries.map(file => [basename(file, '.ts'), join(ROOT, 'src', file)])),
      // All in one folder: package.json, dist/web and worker threads are found from there.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      // Without the paths of its sources, which differ from machine to machine.
      experimental: { attachDebugInfo: 'none' },
    },
  },
  // SQLite is loaded where Node has none, and pino starts threads from files of its own.
  ssr: { noExternal: true, external: ['@photostructure/sqlite', 'pino', 'pino-pretty', 'pg-native'] },
})
