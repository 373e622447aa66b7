import { type Random, seededRandom } from '../../demo/random.ts'
import type { StoredRecord } from '../../src/query/query.ts'

/*
 * What a council's clerks do to a list of places in a year: most releases change a record or three, some tidy a column, now and
 * then a finger slips. The same seed gives the same year.
 */

export type PlaceRecord = Record<string, unknown>

/** What an edit sees and changes: the list itself. */
interface Desk {
  readonly records: PlaceRecord[]
  /** Records that were closed, which may open again. */
  readonly closed: PlaceRecord[]
  /** Positions that a slip has spoilt, until somebody notices. */
  readonly slips: Map<unknown, { latitude: unknown; longitude: unknown }>
  readonly random: Random
  /** The field with the name of a record. */
  readonly named: string
  id(): string
  /** What has been done to records in this release: one that is renamed does not move as well, and few are renamed at once. */
  readonly done: { touched: Set<unknown>; renamed: number; movedFar: number; hasClosed: boolean }
}

/** One step of editing; false where there is nothing to do it to. */
type Edit = (desk: Desk) => unknown

const WORDS = [
  ...[
    'Harbour',
    'Mill',
    'Chapel',
    'Green',
    'Castle',
    'Orchard',
    'Beacon',
    'Quarry',
    'Pinewood',
    'Slipway',
    'Vinery',
  ],
  ...[
    'Tower',
    'Manor',
    'Meadow',
    'Lighthouse',
    'Common',
    'Fountain',
    'Station',
    'Market',
    'Bulwarks',
    'Cloister',
  ],
]
const METRE_NORTH = 1 / 111_195
const METRE_EAST = 1 / 72_700

const isPlaced = ({ latitude, longitude }: StoredRecord) =>
  typeof latitude === 'number' && typeof longitude === 'number' && latitude > 48.9 && longitude < -1.8
const anyRecord = ({ records, random }: Desk) => random.pick(records)
const nameOf = ({ named }: Desk, record: PlaceRecord) => String(record[named])
const rename = ({ named }: Desk, record: PlaceRecord, name: string) => {
  record[named] = name
}

/** Records that have a position and no slip in it, and have not been renamed or moved in this release. */
const placed = ({ records, slips, done }: Desk) =>
  records.filter(record => isPlaced(record) && !slips.has(record.id) && !done.touched.has(record.id))

function moveBy(record: PlaceRecord, metres: number, random: Random): void {
  const [north, east] = [random.next() - 0.5, random.next() - 0.5]
  const length = Math.hypot(north, east) || 1
  const to = {
    latitude: Number((Number(record.latitude) + (north / length) * metres * METRE_NORTH).toFixed(6)),
    longitude: Number((Number(record.longitude) + (east / length) * metres * METRE_EAST).toFixed(6)),
  }
  if (to.latitude > 49.16 && to.latitude < 49.27 && to.longitude > -2.27 && to.longitude < -2)
    Object.assign(record, to)
}

function moveOne(desk: Desk, from: number, to: number): boolean {
  const found = placed(desk)
  if (found.length === 0) return false
  const record = desk.random.pick(found)
  moveBy(record, desk.random.int(from, to), desk.random)
  desk.done.touched.add(record.id)
  return true
}

/** A name that no record has. */
function newName(desk: Desk): string {
  const { random, records } = desk
  const taken = new Set(records.map(record => nameOf(desk, record)))
  for (;;) {
    const name = `${random.pick(WORDS)} ${random.pick(WORDS)} ${random.int(1, 99)}`
    if (!taken.has(name)) return name
  }
}

/** The columns that may be blank, with their values. */
const blankable = ({ records }: Desk) =>
  ['notes', 'payByPhoneCode', 'padNumber', 'buildDate', 'tenure'].filter(field => field in (records[0] ?? {}))

/** Every edit with its weight: how often it is made, relative to the others. */
export const EDITS: Readonly<Record<string, readonly [weight: number, edit: Edit]>> = {
  'a typing error in a name': [
    6,
    desk => {
      const record = anyRecord(desk)
      const name = nameOf(desk, record)
      const at = desk.random.int(1, Math.max(1, name.length - 2))
      rename(desk, record, `${name.slice(0, at)}${name.slice(at + 1)}` || name)
    },
  ],
  'a name in another spelling': [
    5,
    desk => {
      const record = anyRecord(desk)
      const name = nameOf(desk, record)
      const spelt = [
        `The ${name}`,
        `${name} (upper level)`,
        name.toUpperCase(),
        name.replace(/^The /, ''),
        `${name}.`,
      ]
      rename(desk, record, desk.random.pick(spelt))
    },
  ],
  'a place gets a new name': [
    4,
    desk => {
      const { done, random } = desk
      for (let more = random.weighted({ items: [1, 2, 4], totals: [8, 11, 12] }); more > 0; more--) {
        const record = anyRecord(desk)
        if (done.renamed >= 5 || done.touched.has(record.id) || desk.slips.has(record.id)) continue
        rename(desk, record, newName(desk))
        done.touched.add(record.id)
        done.renamed++
      }
    },
  ],
  'a position is corrected': [6, desk => moveOne(desk, 2, 180)],
  'a place moves within its parish': [3, desk => moveOne(desk, 220, 1500)],
  'a place moves across the island': [
    1,
    desk => {
      for (let more = desk.random.int(1, 3); more > 0 && desk.done.movedFar < 5; more--)
        if (moveOne(desk, 2500, 6000)) desk.done.movedFar++
    },
  ],
  'all positions are surveyed again': [
    1,
    desk => {
      for (const record of placed(desk)) moveBy(record, desk.random.int(1, 40), desk.random)
    },
  ],
  'a place without a position gets one': [
    3,
    desk => {
      const without = desk.records.find(({ id, latitude }) => latitude === null && !desk.done.touched.has(id))
      const [near] = placed(desk)
      if (without === undefined || near === undefined) return false
      Object.assign(without, { latitude: near.latitude, longitude: near.longitude })
      moveBy(without, 900, desk.random)
      desk.done.touched.add(without.id)
      return true
    },
  ],
  'a position is withdrawn': [
    1,
    desk => {
      const found = placed(desk)
      if (found.length < 10) return false
      const record = desk.random.pick(found)
      Object.assign(record, { latitude: null, longitude: null })
      desk.done.touched.add(record.id)
      return true
    },
  ],
  'a slip spoils a position': [
    3,
    desk => {
      const found = placed(desk)
      if (found.length === 0 || desk.slips.size >= 2) return false
      const record = desk.random.pick(found)
      const { latitude, longitude } = record as { latitude: number; longitude: number }
      desk.slips.set(record.id, { latitude, longitude })
      const spoilt = [
        [0, 0],
        [longitude, latitude],
        [latitude, -longitude],
        [latitude / 10, longitude],
        [48.85, 2.35],
      ]
      const [north, east] = desk.random.pick(spoilt)
      Object.assign(record, { latitude: north, longitude: east })
      desk.done.touched.add(record.id)
      return true
    },
  ],
  'a slip is noticed': [
    4,
    desk => {
      const [id] = desk.slips.keys()
      const record = desk.records.find(each => each.id === id)
      if (record === undefined) return false
      Object.assign(record, desk.slips.get(id))
      desk.slips.delete(id)
      return true
    },
  ],
  'a place opens': [
    8,
    desk => {
      const { random, records } = desk
      for (let more = random.int(1, 3); more > 0; more--) {
        const record = {
          ...structuredClone(random.pick(placed(desk))),
          id: desk.id(),
          createdAt: opened(random),
        }
        rename(desk, record, newName(desk))
        moveBy(record, random.int(300, 3000), random)
        if (random.chance(0.2)) Object.assign(record, { latitude: null, longitude: null })
        if ('liveTrackingCode' in record) Object.assign(record, { liveTrackingCode: null })
        records.splice(random.int(0, records.length), 0, record)
      }
    },
  ],
  'a place closes': [
    6,
    desk => {
      const { random, records, closed, done } = desk
      if (records.length < 16 || done.hasClosed) return false
      done.hasClosed = true
      const most = Math.floor(records.length * 0.15)
      const closing = random.weighted({ items: [1, 2, 6], totals: [14, 19, 20] })
      for (let more = Math.min(closing, most); more > 0; more--)
        closed.push(...records.splice(random.int(0, records.length - 1), 1))
      forgetSlips(desk)
      return true
    },
  ],
  'a part of the list closes': [
    1,
    desk => {
      const { records, closed, done } = desk
      if (records.length < 50 || done.hasClosed) return false
      done.hasClosed = true
      closed.push(...records.splice(-Math.floor(records.length * 0.18)))
      forgetSlips(desk)
      return true
    },
  ],
  'a closed place opens again': [
    3,
    ({ records, closed, random }) => {
      const record = closed.pop()
      if (record === undefined || !(isPlaced(record) || record.latitude === null)) return false
      records.splice(random.int(0, records.length), 0, record)
      return true
    },
  ],
  'a note is written': [
    5,
    desk => {
      const record = anyRecord(desk)
      if (!('notes' in record)) return false
      record.notes = `${desk.random.pick(WORDS)} side; closed for works until ${desk.random.int(1, 28)} May`
      return true
    },
  ],
  'a value is taken out': [
    5,
    desk => {
      const field = desk.random.pick(blankable(desk))
      for (let more = desk.random.int(1, 2); more > 0; more--) anyRecord(desk)[field] = null
    },
  ],
  'the notes of last year are cleared': [
    1,
    desk => {
      const noted = desk.records.filter(({ notes }) => typeof notes === 'string')
      for (const record of noted.slice(0, 4)) record.notes = null
      return noted.length > 0
    },
  ],
  'a number is corrected': [
    5,
    desk => {
      const record = anyRecord(desk)
      const numbers = ['spaces', 'disabledSpaces', 'electricChargingSpaces', 'padNumber', 'buildDate']
      const field = numbers.find(name => typeof record[name] === 'number')
      if (field === undefined) return false
      record[field] = field === 'buildDate' ? desk.random.int(1900, 2024) : desk.random.int(1, 90)
      return true
    },
  ],
  'a column is filled after a survey': [
    1,
    desk => {
      const [field] = blankable(desk).slice(-1)
      if (field !== 'buildDate' && field !== 'padNumber') return false
      for (const record of desk.records) record[field] ??= desk.random.int(1900, 1999)
      return true
    },
  ],
  'a list of what there is changes': [
    4,
    desk => {
      const record = anyRecord(desk)
      for (const [field, item] of [
        ['facilities', 'BABY_CHANGING'],
        ['services', 'PAPER'],
        ['paymentMethods', 'PAY_STATION'],
      ] as const)
        if (field in record) {
          const has = (record[field] as string[]).filter(each => each !== item)
          record[field] = has.length > 1 && desk.random.chance(0.5) ? has : [...has, item]
        }
    },
  ],
  'an owner has another name': [
    1,
    desk => {
      const owner = anyRecord(desk).owner as { id: unknown; name: unknown } | null | undefined
      if (owner?.id == null) return false
      const name = `${desk.random.pick(WORDS)} Holdings`
      for (const record of desk.records)
        if ((record.owner as typeof owner)?.id === owner.id) record.owner = { ...owner, name }
      return true
    },
  ],
  'the saints lose or gain their dots': [
    1,
    desk => {
      const dotted = desk.records.some(({ parish }) => /^St\. /.test(String(parish)))
      for (const record of desk.records)
        if (typeof record.parish === 'string')
          record.parish = record.parish.replace(/^St\.? /, dotted ? 'St ' : 'St. ')
    },
  ],
  'the rows are sorted': [
    2,
    desk => {
      desk.records.sort((one, other) => (nameOf(desk, one) < nameOf(desk, other) ? -1 : 1))
    },
  ],
  nothing: [2, () => undefined],
}

const opened = (random: Random) => `2025-0${random.int(1, 9)}-1${random.int(0, 9)}T09:00:00.000Z`

function forgetSlips({ slips, records }: Desk): void {
  for (const id of slips.keys()) if (!records.some(record => record.id === id)) slips.delete(id)
}

/** A UUID of version 4, as publishers issue them. */
export function newId(random: Random): string {
  const digits = Array.from({ length: 32 }, () => random.int(0, 15).toString(16)).join('')
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5')
}

export interface EditedList {
  readonly records: readonly PlaceRecord[]
  /** The edits that were made since the list before. */
  readonly edits: readonly string[]
}

/** Edits a list release by release, without end: what comes out is the list as its clerks would send it. */
export function* editedLists(
  first: readonly PlaceRecord[],
  named: string,
  seed: number,
): Generator<EditedList, never> {
  const random = seededRandom(seed, 'edits')
  const names = Object.keys(EDITS)
  let total = 0
  const totals = names.map(name => (total += EDITS[name]?.[0] ?? 0))
  const desk: Desk = {
    ...{ records: structuredClone([...first]), closed: [], slips: new Map(), random, named },
    id: () => newId(random),
    done: { touched: new Set(), renamed: 0, movedFar: 0, hasClosed: false },
  }
  for (;;) {
    const edits: string[] = []
    desk.done.touched.clear()
    Object.assign(desk.done, { renamed: 0, movedFar: 0, hasClosed: false })
    for (let more = random.weighted({ items: [1, 3, 6], totals: [5, 8, 9] }); more > 0; more--) {
      const name = random.weighted({ items: names, totals })
      // Twice the same in one release would be one greater edit.
      if (!edits.includes(name) && EDITS[name]?.[1](desk) !== false) edits.push(name)
    }
    yield { records: structuredClone(desk.records), edits }
  }
}
