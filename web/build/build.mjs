import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { coastline } from './coastline.mjs'
import { compressAll } from './compress.mjs'
import { documentation } from './docs/documentation.mjs'
import { readPages } from './docs/read.mjs'
import { drawIcons } from './icons.mjs'
import { catalogues, messages } from './messages.mjs'
import { buildServiceWorker, everythingOf } from './service-worker.mjs'

/*
 * Builds the explorer into dist/web. Browsers load compressed files, named by their content, icons and a service worker. The service
 * imports the renderer. explorer.json has the pages, languages and files, so that the service knows them before that import.
 */

const WEB = fileURLToPath(new URL('..', import.meta.url))
const OUT = join(WEB, '../dist/web')
const SRC = join(WEB, 'src')

/** The options that all builds of a language share. English has the documentation. */
const commonOf = (code, texts) => ({
  root: WEB,
  configFile: false,
  logLevel: 'warn',
  // Files refer to each other relatively: the build does not know where the service will be.
  base: './',
  plugins: [documentation(code === 'en' ? readPages : () => []), messages(texts)],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
})

/** Pages in English alone. */
const ENGLISH = ['api', 'docs']

/** The files that browsers load: a script for each page that has one, and the styles of all. */
function entries(code) {
  const pages = readdirSync(join(SRC, 'pages'), { withFileTypes: true }).filter(entry => entry.isDirectory())
  const scripts = pages.flatMap(({ name }) =>
    readdirSync(join(SRC, 'pages', name)).includes('browser.tsx') &&
    (code === 'en' || !ENGLISH.includes(name))
      ? [[name, join(SRC, 'pages', name, 'browser.tsx')]]
      : [],
  )
  const shells = { shell: join(SRC, 'shell/browser.ts'), frame: join(SRC, 'shell/frame-height.ts') }
  return { ...Object.fromEntries(scripts), ...shells }
}

/** The files that a chunk needs: its script, imported modules, and all styles. */
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

/** Builds the files that browsers load for some entries. Entries that are built together share files. */
async function buildAssets(common, input, emptyOutDir = false) {
  const { output } = await build({
    ...common,
    build: {
      outDir: OUT,
      emptyOutDir,
      target: 'es2022',
      cssTarget: 'es2022',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      // The index of the documentation is data, loaded when somebody searches.
      chunkSizeWarningLimit: 1000,
      rolldownOptions: {
        input,
        output: {
          entryFileNames: 'assets/[name]-[hash].js',
          chunkFileNames: 'assets/[name]-[hash].js',
          assetFileNames: 'assets/[name]-[hash][extname]',
        },
      },
    },
  })
  return output
}

/** Whether an entry is for frames of other sites. Browsers keep the files of such a frame apart, so it has nothing to share. */
const isEmbed = ([name]) => name.startsWith('embed-')

/** Builds the pages in a language. Gives the name of its service worker. */
async function buildLanguage(code, texts) {
  const common = commonOf(code, texts)
  const suffix = code === 'en' ? '' : `-${code}`
  const all = Object.entries(entries(code))
  const shared = Object.fromEntries(all.filter(entry => !isEmbed(entry)))
  const assets = [...(await buildAssets(common, shared, code === 'en'))]
  for (const [name, file] of all.filter(isEmbed))
    assets.push(...(await buildAssets(common, { [name]: file })))
  const byFile = new Map(assets.map(output => [output.fileName, output]))
  const loaded = Object.fromEntries(
    assets.filter(({ isEntry }) => isEntry).map(chunk => [chunk.name, loadedBy(chunk, byFile)]),
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
        output: { entryFileNames: `server${suffix}.js`, chunkFileNames: `server${suffix}/[name].js` },
        // Without the paths of its sources, which differ from machine to machine.
        experimental: { attachDebugInfo: 'none' },
      },
    },
    ssr: { noExternal: true },
  })
  const entryOf = name => assets.find(({ isEntry, name: own }) => isEntry && own === name)
  // The script of the operator's map is left out, since few services have a map. A device keeps it once a page has loaded it.
  const shell = ['shell', 'offline', 'emergency']
    .flatMap(name => everythingOf(entryOf(name), byFile))
    .filter(file => !file.startsWith('/assets/vector-layer-'))
  return buildServiceWorker(common, {
    name: `service-worker${suffix}.js`,
    input: join(SRC, 'service-worker/service-worker.ts'),
    outDir: OUT,
    files: [...new Set([...shell, '/icon.svg'])],
  })
}

const translations = catalogues()
const serviceWorkers = [await buildLanguage('en')]
for (const { code, texts } of translations) serviceWorkers.push(await buildLanguage(code, texts))
const icons = await drawIcons(OUT)

const { PAGES, LANGUAGE } = await import(join(OUT, 'server.js'))
const assetFiles = compressAll(join(OUT, 'assets')).map(file => `/assets/${file}`)
const rootFiles = [...readdirSync(join(WEB, 'public')), ...icons, ...serviceWorkers]
const files = [...assetFiles, ...rootFiles.map(file => `/${file}`)]
const languages = [LANGUAGE, ...translations.map(({ texts }) => texts.language)].map(
  ({ code, name, offer }) => ({
    ...{ code, name, offer },
  }),
)
const explorer = { pages: PAGES, languages, files, coastline: coastline() }
writeFileSync(join(OUT, 'explorer.json'), JSON.stringify(explorer))
