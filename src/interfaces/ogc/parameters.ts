import Type from 'typebox'
import { EXAMPLE_BOX } from '../../query/place-parameters.ts'
import type { Box } from '../../query/query.ts'
import { moment } from '../../values/dates.ts'
import { integer, NotAllowed, numbersIn, oneOf, type ValueType } from '../../values/values.ts'

/** The parameter that many clients select a format with. The JSON of features is GeoJSON, under either name. */
const ogcFormat = (names: readonly string[], description: string) => ({
  f: {
    type: { ...oneOf(names), format: (name: string) => (name === 'geojson' ? 'json' : name) },
    default: 'json',
    description,
  },
})

export const FORMAT = ogcFormat(['json'], 'The format, which is always JSON.')
export const FEATURE_FORMAT = ogcFormat(['json', 'geojson'], 'The format, which is always GeoJSON.')
const ITEMS_FORMAT = ogcFormat(
  ['json', 'geojson', 'html'],
  '`json` and `geojson` are both GeoJSON; `html` leads to the page that shows these places on a map.',
)

/** The default number of features on a page. */
const PAGE_LENGTH = 10

/** The largest `limit`. */
const MAX_PAGE_LENGTH = 10_000

/** The parameters that every collection has (OGC 17-069r4, 7.15). */
export const itemParameters = (options: { limitMax: number }) => ({
  bbox: {
    type: boundingBox(),
    description:
      'Only features in this box, and those without a position: west, south, east and north in degrees (WGS 84). West may be greater than east: such a box spans the 180th meridian. With six numbers the third and the sixth are heights, which no feature has.',
  },
  datetime: {
    type: timeInterval(),
    description:
      'A time, or two joined by "/", either of which may be "..". These features have no time of their own, so all match.',
  },
  limit: {
    type: atMost(Math.min(MAX_PAGE_LENGTH, options.limitMax)),
    default: Math.min(PAGE_LENGTH, options.limitMax),
    description: 'Features per page; the maximum stands for any larger number.',
  },
  offset: {
    type: integer({ minimum: 0, maximum: 1_000_000_000 }),
    default: 0,
    description: 'Features to skip; the links of each page lead to the others.',
  },
  ...ITEMS_FORMAT,
})

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/** Four numbers, or six with heights. The heights must be numbers, and are left out (7.15.3). */
function boundingBox(): ValueType<Box> {
  const allowed = `west,south,east,north in degrees, from -180 to 180 and from -90 to 90, such as ${EXAMPLE_BOX}`
  return {
    allowed,
    schema: Type.Array(Type.Number(), { minItems: 4, maxItems: 6 }),
    format: ({ west, south, east, north }) => [west, south, east, north].join(),
    parse(text) {
      const { numbers, wrong } = numbersIn(text, NUMBER)
      if (numbers.length !== 4 && numbers.length !== 6) throw new NotAllowed('must have four or six numbers')
      if (wrong !== undefined) throw new NotAllowed(`has "${wrong.slice(0, 30)}", which is not a number`)
      const [west = 0, south = 0, east = 0, north = 0] =
        numbers.length === 4 ? numbers : numbers.toSpliced(2, 1)
      if (!isLongitude(west) || !isLongitude(east)) throw new NotAllowed('has a longitude beyond -180 to 180')
      if (!isLatitude(south) || !isLatitude(north)) throw new NotAllowed('has a latitude beyond -90 to 90')
      if (south > north) throw new NotAllowed(`has south ${south} above north ${north}`)
      return { west, south, east, north }
    },
  }
}

const isLongitude = (degrees: number) => Math.abs(degrees) <= 180
const isLatitude = (degrees: number) => Math.abs(degrees) <= 90

/** A time or an interval, returned as written (7.15.4). */
function timeInterval(): ValueType<string> {
  const time = moment()
  const allowed =
    'a time such as 2024-07-01T12:00:00Z, or two joined by "/", either of which may be "..", such as 2024-07-01T00:00:00Z/..'
  const instantOf = (text: string) => {
    const parsed = time.parse(text)
    return 'day' in parsed ? Date.parse(parsed.day) : parsed.instant
  }
  return {
    allowed,
    schema: Type.String(),
    format: value => value,
    parse(text) {
      const ends = text.split('/')
      const closed = ends.filter(end => end !== '..' && end !== '')
      if (ends.length > 2 || closed.length === 0) throw new NotAllowed(`must be ${allowed}`)
      const [from, to] = closed.map(instantOf)
      if (from !== undefined && to !== undefined && from > to) throw new NotAllowed('ends before it begins')
      return text
    },
  }
}

/** A whole number from 1; larger numbers count as the maximum (7.15.2). */
function atMost(maximum: number): ValueType<number> {
  const any = integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
  return {
    ...integer({ minimum: 1, maximum }),
    parse: text => Math.min(any.parse(text), maximum),
  }
}
