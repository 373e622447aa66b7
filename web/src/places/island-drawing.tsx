import { places as texts } from '../texts/en/places.ts'
import { rich } from '../texts/rich.tsx'
import { isLocated, type Located, type Place, placeKey } from './kinds.ts'
import { OUTLINE, project, SIZE } from './projection.ts'

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
  const { width, height } = SIZE
  const size = places.length === 1 ? ALONE : AMONG
  return (
    <svg class="island" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <path class="island-ground" d={OUTLINE} />
      {labels.map(parish => {
        const [x, y] = project(parish)
        return (
          <text key={parish.name} class="island-label" x={x} y={y} text-anchor="middle">
            {parish.name}
          </text>
        )
      })}
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

/** Names the source of the outline, as its licence asks wherever the outline is shown. */
export function MapAttribution({ tiles }: { readonly tiles?: string | undefined }) {
  return (
    <p class="map-attribution">
      {rich(texts.attribution, {
        tiles: tiles ?? 'none',
        link: words => <a href="https://www.openstreetmap.org/copyright">{words}</a>,
      })}
    </p>
  )
}
