import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const NAME = 'virtual:coastline'
const RESOLVED = `\0${NAME}`
// The import would set it to development, and the pages would be built for that.
process.env.NODE_ENV ??= 'production'
const { module } = await runnerImport(fileURLToPath(new URL('../../src/island/island.ts', import.meta.url)))

/** A ten-thousandth of a degree is eleven metres at most; the lines themselves are true to 250. */
const rounded = ([longitude, latitude]) => [Number(longitude.toFixed(4)), Number(latitude.toFixed(4))]

/** Gives `virtual:coastline`: the island's outline as a ring of longitude and latitude (© OpenStreetMap contributors, ODbL). */
export function coastline() {
  return {
    name: 'coastline',
    resolveId: id => (id === NAME ? RESOLVED : undefined),
    load(id) {
      if (id !== RESOLVED) return undefined
      const file = createRequire(import.meta.url).resolve('@geo-maps/countries-coastline-250m/map.geo.json')
      const { features } = JSON.parse(readFileSync(file, 'utf8'))
      const island = features.find(({ properties }) => properties.A3 === module.ISLAND.outline)
      return `export const COASTLINE = ${JSON.stringify(island.geometry.coordinates[0].map(rounded))}`
    },
  }
}
