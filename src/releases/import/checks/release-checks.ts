import type { Changes } from '../../../store/store.ts'
import {
  type FieldChange,
  inWords,
  type Losses,
  listed,
  type Move,
  type RecordLosses,
  type Renaming,
} from './losses.ts'

/** A release as the checks see it. */
export interface CheckedRelease {
  readonly rows: number
  /** The number of records of the baseline; undefined where there is none. */
  readonly before: number | undefined
  readonly losses: Losses
  /** Which other dataset the source resembles more; undefined where none. */
  readonly resemblance: string | undefined
  /** How the source is a part of the whole by its own words; undefined where it does not say so. */
  readonly incomplete: string | undefined
  /** The fields that the dataset is about. */
  readonly essential: readonly string[]
  /** Columns with values that no field takes. */
  readonly unmatched: readonly UnmatchedColumn[]
  /** Positions off the island, and how many of them are on it with their parts swapped. */
  readonly positions: { readonly all: number; readonly swapped: number }
  /** How many of its ids are a synthetic island's; none where the release is to be synthetic. */
  readonly syntheticIds: number
}

/** A column that no field takes, and the essential fields that its first value could be of. */
export interface UnmatchedColumn {
  readonly name: string
  readonly fits: readonly string[]
}

/** What a check finds, a sentence each; nothing where the release passes. */
export type ReleaseCheck = (release: CheckedRelease) => readonly string[]

const MOST_LOST = 1 / 5
const MOST_GROWN = 10
/** Below this number of records, tenfold growth is plausible. */
const LARGE = 50
/** Fewer places than this may move without a question: one that was wrong is corrected. */
const FEWEST_MOVED = 3

/** The number of records must be plausible: not none, not much less than before, not ten times as many. */
export const rowCount: ReleaseCheck = ({ rows, before }) => {
  if (rows === 0) return ['the source has no records']
  if (before === undefined) return []
  const compared = `it has ${rows} records where the current release has ${before}`
  if (before - rows > before * MOST_LOST) return [`${compared}, a loss of more than a fifth`]
  if (before >= LARGE && rows >= before * MOST_GROWN) return [`${compared}, ten times as many or more`]
  return []
}

/** A first release may not look like one of another dataset: no release before tells them apart. */
export const anotherDataset: ReleaseCheck = ({ before, resemblance }) =>
  before === undefined && resemblance !== undefined ? [resemblance] : []

/** A page may not pass for the whole dataset. */
export const incompleteSource: ReleaseCheck = ({ incomplete }) =>
  incomplete === undefined ? [] : [incomplete]

/** Data that is published as real may hold no record of a synthetic island: people look for its defibrillators. */
export const syntheticRecords: ReleaseCheck = ({ rows, syntheticIds }) =>
  syntheticIds === 0
    ? []
    : [`${syntheticIds} of ${rows} ids are a synthetic island's, whose records are invented`]

/** What the dataset is about may not be empty in all records while a column of the source is not read. */
export const missingField: ReleaseCheck = release => lacking(release, 'no record has', filled => filled === 0)

/** The warning for a first release of which fewer than half of the records have such a field. */
export const sparseField: ReleaseCheck = release => {
  const isSparse = (filled: number) => filled > 0 && filled * 2 < release.rows && release.before === undefined
  return lacking(release, 'fewer than half of the records have', isSparse)
}

function lacking(
  { rows, losses, essential, unmatched }: CheckedRelease,
  words: string,
  isTooFew: (filled: number) => boolean,
): string[] {
  const few = losses.fields.filter(({ field, now }) => essential.includes(field) && isTooFew(now))
  const fields = few.map(({ field }) => field)
  if (rows === 0 || unmatched.length === 0 || fields.length === 0) return []
  const left = [...unmatched]
  const nameFor = (field: string) => {
    const at = left.findIndex(({ fits }) => fits.includes(field))
    return at < 0 ? undefined : left.splice(at, 1)[0]?.name
  }
  const place = fields.includes('latitude') ? nameFor('position') : undefined
  const maps =
    place === undefined
      ? fields.map(field => `${nameFor(field) ?? 'HEADER'}=${field}`)
      : [`${place}=position`]
  const names = inWords(listed(unmatched), ({ name }) => `"${name}"`)
  const fix = maps.map(map => `--map "${map}"`).join(' ')
  return [`${words} ${fields.join(', ')}, but no field takes the columns ${names}: assign them, as by ${fix}`]
}

/** Latitudes and longitudes may not be in each other's place in all records. */
export const swappedPositions: ReleaseCheck = ({ positions: { all, swapped } }) =>
  all === 0 || swapped < all
    ? []
    : [
        `all ${all} positions are on the island only with latitude and longitude swapped: correct the headings`,
      ]

/** The warning for rows without ids of which many are gone, whatever their number; undefined for others. */
export function manyReplaced({ removed }: Changes, before: number | undefined): string | undefined {
  if (before === undefined || removed <= before * MOST_LOST) return undefined
  return `${removed} of the ${before} records of the current release are not in the source any more`
}

/** No field may lose more than a fifth of its values, apart from those of records that are gone. */
export const emptiedFields: ReleaseCheck = ({ rows, before = 0, losses }) => {
  const left = Math.min(1, rows / before)
  return losses.fields
    .filter(field => field.before * left - field.now > field.before * left * MOST_LOST)
    .map(fieldChange)
}

/** Says how many records have a value in a field: "liveTrackingCode: 6 filled, now 0". */
export const fieldChange = ({ field, before, now }: FieldChange) => `${field}: ${before} filled, now ${now}`

/** At most a fifth of the ids may give way to others; where none come, the number of records says it. */
export const replacedIds = ofRecords(({ gone, come, sameNames }, before) => {
  if (gone.count <= before * MOST_LOST || come.count === 0) return []
  const same = sameNames > 0 ? `; ${sameNames} of the records are there by name under new ids` : ''
  return [`${gone.count} of ${before} ids gone, ${come.count} new${same}`]
})

/** No known id may be another record's. */
export const renamedRecords = ofRecords(({ renamed }) =>
  renamed.count === 0 ? [] : [`${renamed.count} known ${ids(renamed.count)}: ${inWords(renamed, renaming)}`],
)

/** At most a fifth of the places may move far. */
export const movedPlaces = ofRecords(({ moved, placed }) =>
  moved.count < FEWEST_MOVED || moved.count <= placed * MOST_LOST
    ? []
    : [`${moved.count} of ${placed} places move further than 200 m: ${inWords(moved, move)}`],
)

/** Says how far a place moved. */
export const move = ({ name, metres }: Move) => `${name} by ${metres} m`

function ofRecords(check: (records: RecordLosses, before: number) => readonly string[]): ReleaseCheck {
  return ({ losses: { records }, before }) =>
    records === null || before === undefined ? [] : check(records, before)
}

const ids = (count: number) => (count === 1 ? 'id stands for another record' : 'ids stand for other records')

function renaming({ id, before, now, knownAs }: Renaming): string {
  const known = knownAs === null ? '' : `, which was ${knownAs}`
  return `${id} was "${before}" and is "${now}"${known}`
}
