import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import Type, { type Static } from 'typebox'
import { islandFile } from '../config.ts'
import { ConfigFileError, readConfigFile } from '../config-file.ts'
import { timeZone } from '../values/addresses/addresses.ts'
import { line } from '../values/line.ts'
import { errorCode } from '../values/system/error-code.ts'
import { fold } from '../values/text.ts'
import { isObject } from '../values/values.ts'
import DEFAULT from './default.json' with { type: 'json' }

const object = <P extends Parameters<typeof Type.Object>[0]>(properties: P, description: string) =>
  Type.Object(properties, { additionalProperties: false, description })
const degrees = (most: number) =>
  Type.Number({ minimum: -most, maximum: most, description: `degrees from -${most} to ${most}` })
const dayOfYear = () =>
  Type.String({ pattern: '^(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$', description: 'a day such as 12-25' })
const nameOfDay = { name: line(100) }
const maybe = () => Type.Optional(Type.Boolean({ description: 'true or false' }))

const HOLIDAY = 'a name with on, firstMondayFrom or daysAfterEaster'

/** A public holiday of every year. */
const Holiday = object(
  {
    ...nameOfDay,
    on: Type.Optional(dayOfYear()),
    firstMondayFrom: Type.Optional(dayOfYear()),
    daysAfterEaster: Type.Optional(
      Type.Integer({
        minimum: -100,
        maximum: 200,
        description: 'days after Easter Sunday, from -100 to 200',
      }),
    ),
    movesFromWeekends: maybe(),
    notOnSundays: maybe(),
    exceptIn: Type.Optional(Type.Array(Type.Integer(), { description: 'a list of years' })),
  },
  HOLIDAY,
)
export type Holiday = Static<typeof Holiday>

/** The facts about an island. */
const IslandFile = object(
  {
    name: line(50),
    timeZone: line(100),
    emergencyNumbers: Type.Array(
      Type.String({ pattern: '^[0-9][0-9 ]*$', description: 'a telephone number, of digits and spaces' }),
      { minItems: 1, description: 'a list of telephone numbers' },
    ),
    bounds: object(
      { south: degrees(90), north: degrees(90), west: degrees(180), east: degrees(180) },
      'an object with south, north, west and east',
    ),
    centre: object(
      { latitude: degrees(90), longitude: degrees(180) },
      'an object with the latitude and longitude of a position in the main town, for examples',
    ),
    parishes: Type.Array(
      object(
        {
          name: line(100),
          alsoSpelt: Type.Optional(Type.Array(line(100), { description: 'a list of other spellings' })),
        },
        'an object with a name, and alsoSpelt for other spellings',
      ),
      { description: 'a list of parishes' },
    ),
    publicHolidays: object(
      {
        source: Type.Optional(line(2000)),
        everyYear: Type.Array(Holiday, { description: `a list of holidays, each ${HOLIDAY}` }),
        singleDays: Type.Optional(
          Type.Record(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }), line(100), {
            additionalProperties: false,
            description: 'names by dates such as 2026-12-25',
          }),
        ),
      },
      'an object with everyYear, and singleDays for days of one year',
    ),
    languages: Type.Optional(
      Type.Array(Type.String({ pattern: '^[a-z]{2}$', description: 'a code such as "fr"' }), {
        description: 'a list of codes of languages such as ["fr", "pt"]',
      }),
    ),
    coastline: Type.Optional(
      object(
        { file: line(4096), attribution: line(200) },
        'an object with file, a GeoJSON file beside this one, and attribution, who made it',
      ),
    ),
  },
  'an object with the facts about an island',
)

/** Positions along a closed line, degrees (WGS 84). */
type Ring = readonly (readonly [longitude: number, latitude: number])[]

/** The facts about the island whose data is published. */
export interface Island extends Static<typeof IslandFile> {
  /** The outer rings of the island's land. Absent for the default island, whose outline the pages are built with. */
  readonly outline?: readonly Ring[]
}

/** More would make every page of the service large. */
const MOST_POINTS = 1000

/** The island that ISLAND names. Modules declare data from it, so it is read when the first of them is loaded. Throws ConfigFileError. */
export const ISLAND: Island = islandFile === undefined ? DEFAULT : readIsland(islandFile)

/** The first spelling of each parish, as filters name it. */
export const PARISHES = ISLAND.parishes.map(({ name }) => name)

/** Spellings of one parish. */
export const SPELLINGS = ISLAND.parishes.map(({ name, alsoSpelt = [] }) => [name, ...alsoSpelt])

/** Reads a file with the facts about an island. */
function readIsland(path: string): Island {
  const island = readConfigFile('ISLAND', path, IslandFile)
  const wrong = (place: string, reason: string) => new ConfigFileError('ISLAND', path, place, reason)
  const { bounds, parishes, publicHolidays, coastline } = island
  try {
    timeZone().parse(island.timeZone)
  } catch {
    throw wrong('/timeZone', `is "${island.timeZone}"; allowed: ${timeZone().allowed}`)
  }
  if (bounds.south >= bounds.north) throw wrong('/bounds', 'south must be less than north')
  if (bounds.west >= bounds.east) throw wrong('/bounds', 'west must be less than east')
  const { latitude, longitude } = island.centre
  if (
    latitude < bounds.south ||
    latitude > bounds.north ||
    longitude < bounds.west ||
    longitude > bounds.east
  )
    throw wrong('/centre', 'must lie in the bounds')
  const spelt = new Map<string, number>()
  for (const [index, { name, alsoSpelt = [] }] of parishes.entries())
    for (const spelling of [name, ...alsoSpelt]) {
      const other = spelt.get(fold(spelling))
      if (other !== undefined && other !== index)
        throw wrong(`/parishes/${index}`, `"${spelling}" is a spelling of "${parishes[other]?.name}" already`)
      spelt.set(fold(spelling), index)
    }
  for (const [index, holiday] of publicHolidays.everyYear.entries())
    if (
      [holiday.on, holiday.firstMondayFrom, holiday.daysAfterEaster].filter(when => when !== undefined)
        .length !== 1
    )
      throw wrong(
        `/publicHolidays/everyYear/${index}`,
        `needs one of on, firstMondayFrom and daysAfterEaster`,
      )
  if (coastline === undefined) throw wrong('', 'lacks coastline')
  const outline = readOutline(resolve(dirname(path), coastline.file), reason =>
    wrong('/coastline/file', `${coastline.file} ${reason}`),
  )
  return Object.assign(island, { outline })
}

/** The outer rings of the polygons in a GeoJSON file (RFC 7946). */
function readOutline(path: string, wrong: (reason: string) => Error): Ring[] {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw wrong(errorCode(error) === undefined ? 'is not JSON' : `cannot be read (${errorCode(error)})`)
  }
  const rings = ringsIn(value)
  const points = rings.flat()
  if (points.length < 4 || !points.every(isPosition)) throw wrong('has no Polygon or MultiPolygon of GeoJSON')
  if (points.length > MOST_POINTS)
    throw wrong(`has ${points.length} points; simplify it to ${MOST_POINTS} at most`)
  return rings as unknown as Ring[]
}

/** The outer ring of each polygon in a value of GeoJSON. */
function ringsIn(value: unknown): unknown[][] {
  if (!isObject(value)) return []
  const list = (each: unknown) => (Array.isArray(each) ? each : [])
  if (value.type === 'FeatureCollection') return list(value.features).flatMap(ringsIn)
  if (value.type === 'Feature') return ringsIn(value.geometry)
  if (value.type === 'Polygon') return [list(list(value.coordinates)[0])]
  return value.type === 'MultiPolygon' ? list(value.coordinates).map(polygon => list(list(polygon)[0])) : []
}

function isPosition(value: unknown): boolean {
  return Array.isArray(value) && value.length >= 2 && Math.abs(value[0]) <= 180 && Math.abs(value[1]) <= 90
}
