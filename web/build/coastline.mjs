import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const NAME = 'virtual:coastline'
const RESOLVED = `\0${NAME}`
// Read as text: vite would keep what it imports for a build, with its path on this machine.
const facts = readFileSync(new URL('../../src/island/island.ts', import.meta.url), 'utf8')
const [, outline] = /outline: '([A-Z]{3})'/.exec(facts)
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
      const island = features.find(({ properties }) => properties.A3 === outline)
      return `export const COASTLINE = ${JSON.stringify(island.geometry.coordinates[0].map(rounded))}`
    },
  }
}
