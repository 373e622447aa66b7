import type { Random } from '../../demo/random.ts'
import { newId, type PlaceRecord } from './council-edits.ts'

/** What goes wrong with a whole list, and the check that must refuse it. */
export interface Blunder {
  readonly check: string
  /** Absent where it happens to every list of places. */
  readonly datasets?: readonly string[]
  readonly spoil: (records: PlaceRecord[], random: Random, named: string) => PlaceRecord[]
}

const blunder = (check: string, spoil: Blunder['spoil'], datasets?: readonly string[]): Blunder => ({
  ...{ check, spoil },
  ...(datasets && { datasets }),
})
const isPlaced = ({ latitude }: PlaceRecord) => typeof latitude === 'number'
const each =
  (change: (record: PlaceRecord, at: number) => object): Blunder['spoil'] =>
  records =>
    records.map((record, at) => ({ ...record, ...change(record, at) }))
const eachPlaced = (change: (record: PlaceRecord, at: number) => object): Blunder['spoil'] =>
  each((record, at) => (isPlaced(record) ? change(record, at) : {}))
const blank = (...fields: string[]) => each(() => Object.fromEntries(fields.map(field => [field, null])))
/** Changes the first so many places, or so great a part of all. */
const some =
  (share: number, change: (record: PlaceRecord, at: number) => object): Blunder['spoil'] =>
  records => {
    const most = share < 1 ? Math.ceil(records.length * share) : share
    let done = 0
    return records.map(record =>
      isPlaced(record) && done < most ? { ...record, ...change(record, done++) } : record,
    )
  }
/** Fields take the values of the row above. */
const slip =
  (...fields: string[]): Blunder['spoil'] =>
  records =>
    records.map((record, at) => {
      const above = records.at(at - 1) ?? record
      return { ...record, ...Object.fromEntries(fields.map(field => [field, above[field]])) }
    })
/** The values of fields in their own order, beside the other columns in theirs. */
const sorted =
  (...fields: string[]): Blunder['spoil'] =>
  records => {
    const key = (record: PlaceRecord) => String(record[fields[0] ?? ''])
    const others = [...records].sort((one, other) => (key(one) < key(other) ? -1 : 1))
    return records.map((record, at) => ({
      ...record,
      ...Object.fromEntries(fields.map(field => [field, others[at]?.[field]])),
    }))
  }
/** Exchanges fields between two records that differ in them. */
const exchanged =
  (...fields: string[]): Blunder['spoil'] =>
  records => {
    const copy = records.map(record => ({ ...record }))
    const [one, other] = copy.filter(isPlaced).slice(3, 5) as [PlaceRecord, PlaceRecord]
    for (const field of fields) [one[field], other[field]] = [other[field], one[field]]
    return copy
  }
const degrees = (value: unknown, more: number) => Number((Number(value) + more).toFixed(6))
const shifted = (north: number, east: number) =>
  eachPlaced(({ latitude, longitude }) => ({
    latitude: degrees(latitude, north),
    longitude: degrees(longitude, east),
  }))
const position = (latitude: unknown, longitude: unknown) => ({ latitude, longitude })

/** By what happened. */
export const BLUNDERS: Readonly<Record<string, Blunder>> = {
  'the list is empty': blunder('row-count', () => []),
  'the list is cut off in the middle': blunder('row-count', records => records.slice(0, records.length / 2)),
  'a quarter of the list is missing': blunder('row-count', records => records.slice(records.length / 4)),
  'a filter is still on': blunder('row-count', records => records.filter((_, at) => at % 6 === 0)),
  'one record is left': blunder('row-count', records => records.slice(0, 1)),
  'the list is there eleven times with new ids': blunder('row-count', (records, random) =>
    Array.from({ length: 11 }, (_, time) =>
      records.map(record => (time === 0 ? record : { ...record, id: newId(random) })),
    ).flat(),
  ),
  'the columns of positions are gone': blunder('emptied-fields', blank('latitude', 'longitude')),
  'the column of longitudes is gone': blunder('emptied-fields', blank('longitude')),
  'a third of the positions is gone': blunder(
    'emptied-fields',
    some(0.34, () => position(null, null)),
  ),
  'the column of owners is gone': blunder(
    'emptied-fields',
    each(() => ({ owner: { id: null, name: null } })),
    ['toilets', 'carparks'],
  ),
  'the owners have lost their ids': blunder(
    'emptied-fields',
    each(({ owner }) => ({ owner: { ...(owner as object), id: null } })),
    ['toilets', 'carparks'],
  ),
  'the column of facilities is gone': blunder(
    'emptied-fields',
    each(() => ({ facilities: [] })),
    ['toilets'],
  ),
  'the sides of the toilets are gone': blunder('emptied-fields', blank('female', 'male'), ['toilets']),
  'the column of years is gone': blunder('emptied-fields', blank('buildDate'), ['toilets']),
  'the column of services is gone': blunder(
    'emptied-fields',
    each(() => ({ services: [] })),
    ['recycling'],
  ),
  'a quarter of the services is gone': blunder(
    'emptied-fields',
    each((_, at) => (at % 4 === 0 ? { services: [] } : {})),
    ['recycling'],
  ),
  'the column of notes is gone': blunder('emptied-fields', blank('notes'), ['recycling', 'carparks']),
  'the column of numbers is gone': blunder('emptied-fields', blank('padNumber'), ['defibrillators']),
  'the column of codes for phones is gone': blunder('emptied-fields', blank('payByPhoneCode'), ['carparks']),
  'the column of ways to pay is gone': blunder(
    'emptied-fields',
    each(() => ({ paymentMethods: [] })),
    ['carparks'],
  ),
  'all ids are new': blunder('replaced-ids', (records, random) =>
    records.map(record => ({ ...record, id: newId(random) })),
  ),
  'a third of the ids is new': blunder('replaced-ids', (records, random) =>
    records.map((record, at) => (at % 3 === 0 ? { ...record, id: newId(random) } : record)),
  ),
  'another list has its name': blunder('replaced-ids', (records, random) =>
    records.map(record => ({ ...record, id: newId(random), name: 'Site', location: 'Site' })),
  ),
  'the names have slipped by a row': blunder('renamed-records', (records, random, named) =>
    slip(named)(records, random, named),
  ),
  'the column of names is sorted by itself': blunder('renamed-records', (records, random, named) =>
    sorted(named)(records, random, named),
  ),
  'two names are exchanged': blunder('renamed-records', (records, random, named) =>
    exchanged(named)(records, random, named),
  ),
  'the ids have slipped by a row': blunder('renamed-records', slip('id')),
  'two ids are exchanged': blunder('renamed-records', exchanged('id')),
  'one id stands for another place': blunder('renamed-records', (records, random, named) =>
    some(1, ({ latitude }) => ({ [named]: 'Zymurgy Works', latitude: degrees(latitude, 0.01) }))(
      ...([records, random, named] as const),
    ),
  ),
  'the names are placeholders': blunder('renamed-records', (records, random, named) =>
    each((_, at) => ({ [named]: `#${at + 1}` }))(records, random, named),
  ),
  'the names are those of the kind': blunder('renamed-records', (records, random, named) =>
    each(() => ({ [named]: 'Public facility' }))(records, random, named),
  ),
  'eight places have other names': blunder('renamed-records', (records, _random, named) =>
    records.map((record, at) =>
      at < 8 ? { ...record, [named]: `Zzyzx ${'qwxj'.repeat(4)} ${at}` } : record,
    ),
  ),
  'the positions have slipped by a row': blunder('moved-places', slip('latitude', 'longitude')),
  'the column of latitudes is sorted by itself': blunder('moved-places', sorted('latitude')),
  'the columns of positions are sorted by themselves': blunder(
    'moved-places',
    sorted('latitude', 'longitude'),
  ),
  'two positions are exchanged': blunder('moved-places', exchanged('latitude', 'longitude')),
  'latitude and longitude are swapped in all': blunder(
    'moved-places',
    eachPlaced(({ latitude, longitude }) => position(longitude, latitude)),
  ),
  'the minus signs are lost': blunder(
    'moved-places',
    eachPlaced(({ longitude }) => ({ longitude: -Number(longitude) })),
  ),
  'all positions are 0, 0': blunder(
    'moved-places',
    eachPlaced(() => position(0, 0)),
  ),
  'six positions are 0, 0': blunder(
    'moved-places',
    some(6, () => position(0, 0)),
  ),
  'a tenth of the places is in Paris': blunder(
    'moved-places',
    some(0.1, () => position(48.8566, 2.3522)),
  ),
  'the positions are of another datum': blunder('moved-places', shifted(0.0006, 0.0011)),
  'the positions are a kilometre north': blunder('moved-places', shifted(0.009, 0)),
  'the positions have two decimals': blunder(
    'moved-places',
    eachPlaced(({ latitude, longitude }) =>
      position(Number(Number(latitude).toFixed(2)), Number(Number(longitude).toFixed(2))),
    ),
  ),
  'an eighth of the places is on the other side of the island': blunder(
    'moved-places',
    some(0.125, ({ longitude }, at) => ({
      latitude: 49.2 + at / 1000,
      longitude: Number(longitude) < -2.13 ? -2.03 : -2.23,
    })),
  ),
  'the positions are forty metres off': blunder('moved-places', shifted(0.0003, 0.0003)),
  'unknown addresses are in the middle of the island': blunder(
    'moved-places',
    some(0.3, () => position(49.2138, -2.1358)),
  ),
  'all places are in the middle of the island': blunder(
    'moved-places',
    eachPlaced(() => position(49.2138, -2.1358)),
  ),
  'the ids and all else but names have slipped': blunder('moved-places', slip('id', 'name', 'location')),
}
