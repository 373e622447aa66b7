import Type from 'typebox'
import { ISLAND } from '../island/island.ts'
import { InvalidParameter, NotAllowed, number, numbersIn, type ValueType } from '../values/values.ts'
import { isOnIsland } from './geometry.ts'
import type { ParameterValues } from './parameters.ts'
import type { Area, Box, Point } from './query.ts'

/** Half the way round the earth: no place is farther. */
const MAX_RADIUS_METRES = 20_040_000

const { latitude, longitude } = ISLAND.centre
/** A box and a position for examples: the box is three kilometres high. */
export const EXAMPLE_BOX = [longitude - 0.015, latitude - 0.015, longitude + 0.015, latitude + 0.015].map(
  value => Number(value.toFixed(2)),
)
const EXAMPLE_POINT = [latitude, longitude]

/** The parameters that select records by their position. */
export const PLACE_PARAMETERS = {
  bbox: {
    type: box(),
    description: `Only those in this box: west, south, east and north in degrees (WGS 84), edges included, such as ${EXAMPLE_BOX}.`,
  },
  near: {
    type: point(),
    description: `Nearest to this position first: latitude and longitude in degrees (WGS 84), such as ${EXAMPLE_POINT}. Each entry then has \`distanceMetres\`; those without a position are left out.`,
  },
  radius: { type: radius(), description: 'With `near`: only those within this many metres.' },
}

/** The place that parameters select. Throws {@link InvalidParameter} for a radius without a point. */
export function placeOf({ bbox, near, radius }: ParameterValues): Area | undefined {
  if (radius !== undefined && near === undefined)
    throw new InvalidParameter({
      parameter: 'radius',
      value: String(radius),
      detail: 'is given without near',
      allowed: 'together with near=latitude,longitude',
    })
  if (bbox === undefined && near === undefined) return undefined
  return {
    box: bbox as Box | undefined,
    near: near === undefined ? undefined : { ...(near as Point), radiusMetres: radius as number | undefined },
  }
}

function box(): ValueType<Box> {
  const allowed = `west,south,east,north in degrees, west not above east and south not above north, such as ${EXAMPLE_BOX}`
  return {
    allowed,
    schema: Type.Array(Type.Number(), { minItems: 4, maxItems: 4, examples: [EXAMPLE_BOX] }),
    format: ({ west, south, east, north }) => [west, south, east, north].join(','),
    parse(text) {
      const [west = 0, south = 0, east = 0, north = 0] = degrees(text, 4, allowed)
      if (isOnIsland(west, south) && isOnIsland(east, north))
        throw new NotAllowed('has latitudes before longitudes', [south, west, north, east].join(','))
      requireOnEarth({ latitude: south, longitude: west })
      requireOnEarth({ latitude: north, longitude: east })
      if (west > east)
        throw new NotAllowed('has its west east of its east; a box across 180 degrees is not supported')
      if (south > north) throw new NotAllowed('has its south north of its north')
      return { west, south, east, north }
    },
  }
}

function point(): ValueType<Point> {
  const allowed = `latitude,longitude in degrees, such as ${EXAMPLE_POINT}`
  return {
    allowed,
    schema: Type.Array(Type.Number(), { minItems: 2, maxItems: 2, examples: [EXAMPLE_POINT] }),
    format: ({ latitude, longitude }) => `${latitude},${longitude}`,
    parse(text) {
      const [latitude = 0, longitude = 0] = degrees(text, 2, allowed)
      if (isOnIsland(longitude, latitude))
        throw new NotAllowed('has the longitude before the latitude', `${longitude},${latitude}`)
      requireOnEarth({ latitude, longitude })
      return { latitude, longitude }
    },
  }
}

function radius(): ValueType<number> {
  const metres = number()
  const allowed = `a number of metres above 0 and at most ${MAX_RADIUS_METRES}`
  return {
    ...metres,
    allowed,
    schema: Type.Number({ exclusiveMinimum: 0, maximum: MAX_RADIUS_METRES, examples: [500] }),
    parse(text) {
      const value = metres.parse(text)
      if (value <= 0 || value > MAX_RADIUS_METRES) throw new NotAllowed(`must be ${allowed}`)
      return value
    },
  }
}

/** Parses numbers of degrees, separated by commas, with any number of digits: a box from a map has all digits of a double. */
function degrees(text: string, count: number, allowed: string): number[] {
  const { numbers, wrong } = numbersIn(text, /^-?\d{1,3}(\.\d+)?$/)
  if (numbers.length !== count || wrong !== undefined) throw new NotAllowed(`must be ${allowed}`)
  return numbers
}

function requireOnEarth({ latitude, longitude }: Point): void {
  if (Math.abs(latitude) > 90) throw new NotAllowed('has a latitude beyond 90 degrees')
  if (Math.abs(longitude) > 180) throw new NotAllowed('has a longitude beyond 180 degrees')
}
