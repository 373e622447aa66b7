import { createHash } from 'node:crypto'
import { build } from 'vite'

/** Builds the service worker of a language, which knows by name the files that the page for offline use needs. */
export async function buildServiceWorker(common, { name, input, outDir, files }) {
  const version = createHash('sha256').update(files.join()).digest('hex').slice(0, 12)
  await build({
    ...common,
    define: { SHELL: JSON.stringify({ version, files }) },
    build: {
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'es2022',
      rolldownOptions: {
        input,
        output: { entryFileNames: name, format: 'iife' },
      },
    },
  })
  return name
}

/** The files that an entry loads at once or later, with their styles. */
export function everythingOf(entry, byFile) {
  const files = new Set()
  const visit = file => {
    const found = byFile.get(file)
    if (files.has(file) || found === undefined) return
    files.add(file)
    for (const style of found.viteMetadata?.importedCss ?? []) files.add(style)
    for (const imported of [...(found.imports ?? []), ...(found.dynamicImports ?? [])]) visit(imported)
  }
  visit(entry.fileName)
  return [...files].map(file => `/${file}`)
}
