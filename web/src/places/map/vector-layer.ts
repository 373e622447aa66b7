import { namedFlavor } from '@protomaps/basemaps'
import { DomUtil, GridLayer } from 'leaflet'
import { PMTiles } from 'pmtiles'
import { labelRules, leafletLayer, paintRules } from 'protomaps-leaflet'

// The library takes Leaflet from here.
Object.assign(globalThis, { L: { GridLayer, DomUtil } })

/**
 * The streets and names of a map's file, in the colours of the page, which follow a change between light and dark. Rejects if
 * nothing of the file can be read.
 */
export async function vectorLayer(path: string): Promise<GridLayer> {
  const file = new PMTiles(new URL(path, location.href).href)
  const { maxZoom } = await file.getHeader()
  const layer: ReturnType<typeof leafletLayer> = leafletLayer({ url: file, maxDataZoom: maxZoom })
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const dress = () => Object.assign(layer, look(dark.matches ? 'dark' : 'light'))
  const redress = () => {
    dress()
    layer.clearLayout()
    layer.rerenderTiles()
  }
  dress()
  layer.on('add', () => dark.addEventListener('change', redress))
  layer.on('remove', () => dark.removeEventListener('change', redress))
  return layer as unknown as GridLayer
}

/** The colours and rules of the drawing. */
function look(flavor: 'light' | 'dark') {
  const sea = colorOf('--sea')
  const colors = { ...namedFlavor(flavor), background: sea, water: sea, earth: colorOf('--land') }
  return {
    paintRules: paintRules(colors),
    labelRules: labelRules(colors, document.documentElement.lang),
    backgroundColor: sea,
  }
}

/** The colour that a custom property has now, as a canvas takes it. */
function colorOf(property: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${property})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
