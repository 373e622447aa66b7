import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { coastline } from './coastline.mjs'
import { compressAll } from './compress.mjs'
import { documentation } from './docs/documentation.mjs'
import { drawIcons } from './icons.mjs'
import { messages } from './messages.mjs'
import { buildServiceWorker, everythingOf } from './service-worker.mjs'

/*
 * Builds the explorer into dist/web: the files that browsers load, named by their content and compressed; the icons; the service
 * worker; the renderer that the service imports; and explorer.json, which tells the service of both before it imports anything.
 */

const WEB = fileURLToPath(new URL('..', import.meta.url))
const OUT = join(WEB, '../dist/web')
const SRC = join(WEB, 'src')

const common = {
  root: WEB,
  configFile: false,
  logLevel: 'warn',
  // Files refer to each other relatively: the build does not know where the service will be.
  base: './',
  plugins: [coastline(), documentation(), messages()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
}

/** The files that browsers load: a script for each page that has one, and the styles of all. */
function entries() {
  const pages = readdirSync(join(SRC, 'pages'), { withFileTypes: true }).filter(entry => entry.isDirectory())
  const scripts = pages.flatMap(({ name }) =>
    readdirSync(join(SRC, 'pages', name)).includes('browser.tsx')
      ? [[name, join(SRC, 'pages', name, 'browser.tsx')]]
      : [],
  )
  return { ...Object.fromEntries(scripts), shell: join(SRC, 'shell/browser.ts') }
}

const assets = await build({
  ...common,
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The index of the documentation is data, loaded when somebody searches.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      input: entries(),
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
})

/** What a page loads, by the name of its entry: its script, the modules that it imports, and all their styles. */
function loadedBy(chunk, byFile) {
  const files = new Set()
  const styles = new Set()
  const visit = file => {
    const found = byFile.get(file)
    if (files.has(file) || found === undefined) return
    files.add(file)
    for (const style of found.viteMetadata?.importedCss ?? []) styles.add(`/${style}`)
    for (const imported of found.imports ?? []) visit(imported)
  }
  visit(chunk.fileName)
  const [script, ...modules] = [...files].map(file => `/${file}`)
  return { script, modules, styles: [...styles] }
}

const byFile = new Map(assets.output.map(output => [output.fileName, output]))
const loaded = Object.fromEntries(
  assets.output.filter(({ isEntry }) => isEntry).map(chunk => [chunk.name, loadedBy(chunk, byFile)]),
)

await build({
  ...common,
  define: { LOADED: JSON.stringify(loaded) },
  build: {
    ssr: join(SRC, 'server.tsx'),
    outDir: OUT,
    emptyOutDir: false,
    target: 'node20',
    minify: false,
    rolldownOptions: {
      // Modules that only browsers load go into files of their own, which the service never loads.
      output: { entryFileNames: 'server.js', chunkFileNames: 'server/[name].js' },
      // Without the paths of its sources, which differ from machine to machine.
      experimental: { attachDebugInfo: 'none' },
    },
  },
  ssr: { noExternal: true },
})

const entryOf = name => assets.output.find(({ isEntry, name: own }) => isEntry && own === name)
const shell = ['shell', 'offline', 'emergency'].flatMap(name => everythingOf(entryOf(name), byFile))
const serviceWorker = await buildServiceWorker(common, {
  input: join(SRC, 'service-worker/service-worker.ts'),
  outDir: OUT,
  files: [...new Set([...shell, '/icon.svg'])],
})
const icons = await drawIcons(OUT)

const { PAGES } = await import(join(OUT, 'server.js'))
const assetFiles = compressAll(join(OUT, 'assets')).map(file => `/assets/${file}`)
const rootFiles = [...readdirSync(join(WEB, 'public')), ...icons, serviceWorker]
const files = [...assetFiles, ...rootFiles.map(file => `/${file}`)]
writeFileSync(join(OUT, 'explorer.json'), JSON.stringify({ pages: PAGES, files }))
