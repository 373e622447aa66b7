import { site } from '../site.ts'
import { places as texts } from '../texts/en/places.ts'
import { rich } from '../texts/rich.tsx'
import { isLocated, type Located, type Place, placeKey } from './kinds.ts'
import { type Box, isFree } from './map/labels.ts'
import { drawing } from './projection.ts'

/** A name on the map, such as that of a parish. */
export interface MapLabel extends Located {
  readonly name: string
}

interface IslandDrawingProps {
  /** The drawing in words, for people who do not see it. */
  readonly label: string
  readonly places: readonly Place[]
  readonly labels?: readonly MapLabel[]
}

/** Sizes of a sign: large for one place, small so that many do not cover each other. */
const ALONE = 52
const AMONG = 24

/** The island with places on it, drawn without a script. Places beyond its edges are left out. */
export function IslandDrawing({ label, places, labels = [] }: IslandDrawingProps) {
  const { width, height, outline, project } = drawing()
  const size = places.length === 1 ? ALONE : AMONG
  return (
    <svg class="island" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <path class="island-ground" d={outline} />
      {freeLabels(labels).map(({ name, at: [x, y] }) => (
        <text key={name} class="island-label" x={x} y={y} text-anchor="middle">
          {name}
        </text>
      ))}
      {places.filter(isLocated).map(place => {
        const [x, y] = project(place)
        return (
          <use
            key={placeKey(place)}
            href={`#place-${place.dataset}`}
            x={x - size / 2}
            y={y - size / 2}
            width={size}
            height={size}
          />
        )
      })}
    </svg>
  )
}

/** The height of a label, and the most that one of its letters is wide. */
const LETTER = { height: 16, width: 10 }

/** The labels that do not touch the coast or an earlier label, with their positions. */
function freeLabels(labels: readonly MapLabel[]) {
  const { project, rings } = drawing()
  const taken: Box[] = []
  return labels.flatMap(label => {
    const [x, y] = project(label)
    const half = (label.name.length * LETTER.width) / 2
    const box = { left: x - half, right: x + half, top: y - LETTER.height, bottom: y }
    if (!isFree(box, taken, rings)) return []
    taken.push(box)
    return [{ name: label.name, at: [x, y] as const }]
  })
}

/** Names the source of the outline, as its licence asks wherever the outline is shown. */
export function MapAttribution({ baseMap }: { readonly baseMap?: string | undefined }) {
  return (
    <p class="map-attribution">
      {rich(texts.attribution, {
        by: site.island.coastline.attribution ?? 'none',
        baseMap: baseMap ?? 'none',
        link: words => <a href="https://www.openstreetmap.org/copyright">{words}</a>,
      })}
    </p>
  )
}
