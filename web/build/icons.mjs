import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

/** Platforms cut maskable icons and those of iOS to their own shape: these have no corners of their own. */
const ICONS = [
  { name: 'icon-192.png', size: 192, corners: true },
  { name: 'icon-512.png', size: 512, corners: true },
  { name: 'icon-maskable-512.png', size: 512, corners: false },
  { name: 'apple-touch-icon.png', size: 180, corners: false },
]

/** Draws the icon of the service in the sizes that devices ask for, beside the drawing itself; gives their names. */
export async function drawIcons(folder) {
  await initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')))
  const drawing = readFileSync(join(folder, 'icon.svg'), 'utf8')
  for (const { name, size, corners } of ICONS) {
    const svg = corners ? drawing : drawing.replace(/ rx="\d+"/, '')
    writeFileSync(
      join(folder, name),
      new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render().asPng(),
    )
  }
  return ICONS.map(({ name }) => name)
}
