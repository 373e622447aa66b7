import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/*
 * Builds the service into dist: a few files instead of some 1,400, because finding and linking so many took half of the time of a
 * start. These files also contain the packages that the service uses. The packages' licences are in licences.md beside them.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The files that are started by their address: the program and each worker thread. */
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
      // All in one folder, because the code finds package.json, dist/web and worker threads from there.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      // Without the paths of sources, which differ from machine to machine.
      experimental: { attachDebugInfo: 'none' },
    },
  },
  // The SQLite package is loaded only if Node lacks SQLite, and pino starts threads from its own files.
  ssr: { noExternal: true, external: ['@photostructure/sqlite', 'pino', 'pino-pretty', 'pg-native'] },
})
