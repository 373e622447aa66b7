import type { Changes } from '../../../store/store.ts'
import { inWords, listed } from '../../../values/text.ts'
import type { FieldCounts } from './baseline.ts'
import type { Exchange, FieldChange, Losses, Move, RecordLosses, Renaming } from './comparison.ts'
import { exceeds, LIMITS } from './limits.ts'

/** A release as the checks see it. */
export interface CheckedRelease {
  readonly rows: number
  /** The number of records of the baseline, or undefined without a baseline. */
  readonly before: number | undefined
  readonly losses: Losses
  /** The number of records that have a value in each field. */
  readonly filled: FieldCounts
  /** The places whose positions leave the island. */
  readonly left: readonly LeavingPlace[]
  /** Which other dataset the source resembles more, or undefined. */
  readonly resemblance?: string | undefined
  /** How the source itself says that it is incomplete, or undefined. */
  readonly incomplete?: string | undefined
  /** The fields that the dataset is about. */
  readonly essential: readonly string[]
  /** Columns with values that no field takes. */
  readonly unmatched: readonly UnmatchedColumn[]
  /** The number of positions, and how many are on the island only with latitude and longitude swapped. */
  readonly positions: { readonly all: number; readonly swapped: number }
  /** The number of ids from a synthetic island; 0 for a synthetic release. */
  readonly syntheticIds: number
}

/** A column that no field takes, and the essential fields that its first value fits. */
export interface UnmatchedColumn {
  readonly name: string
  readonly fits: readonly string[]
}

/**
 * A place whose position leaves the island, with the fault. `kept` says what is published instead, if the position is
 * held back.
 */
export interface LeavingPlace {
  readonly id: string
  readonly name: string
  readonly position: string
  readonly fault: string
  readonly kept?: string
}

/** A sentence that states the fault; no text if there is no fault. */
export type CheckFinding = string | false | undefined

type ReleaseCheck = (release: CheckedRelease) => readonly CheckFinding[]

const {
  recordsGone,
  growth,
  valuesGone,
  renamed: mostRenamed,
  near,
  movedFar: far,
  movedMost,
  heldBack,
} = LIMITS

/** The checks of every release by name, in the order of the report. Each check returns its findings. */
export const RELEASE_CHECKS: Readonly<Record<string, ReleaseCheck>> = {
  /** The number of records must be plausible: not zero, not much smaller than before, not ten times as large. */
  'row-count'({ rows, before }) {
    if (rows === 0) return ['the source has no records']
    if (before === undefined) return []
    const compared = `it has ${rows} records where the current release has ${before}, `
    return [
      exceeds(before - rows, before, recordsGone, before) && `${compared}a loss of more than a fifth`,
      before >= growth.least && rows >= before * growth.times && `${compared}ten times as many or more`,
    ]
  },

  /**
   * No field may lose more than a fifth of its values. Only records that stay count; if ids do not last, values may
   * decrease with the records.
   */
  'emptied-fields'({ rows, before = 0, losses: { records, fields } }) {
    const isOfSame = records !== null && !records.areReplaced
    const left = isOfSame ? 1 : Math.min(1, rows / before)
    const compared = isOfSame ? before - records.gone.count : rows
    return fields
      .filter(field => exceeds(field.before * left - field.now, field.before * left, valuesGone, compared))
      .map(fieldChange)
  },

  /** At most a fifth of the ids may be replaced. Without new ids, `row-count` finds the loss. */
  'replaced-ids': ofRecords(({ gone, come, areReplaced, sameNames }, { before }) => {
    const same = sameNames > 0 ? `; ${sameNames} of the records are there by name under new ids` : ''
    return [areReplaced && `${gone.count} of ${before} ids gone, ${come.count} new${same}`]
  }),

  /** No known id may stand for another record, and only a few may be renamed in one release. */
  'renamed-records': ofRecords(({ renamed, mistaken }, { before = 0 }) => [
    mistaken.count > 0 && `${mistaken.count} known ${ids(mistaken.count)}: ${inWords(mistaken, renaming)}`,
    exceeds(renamed.count, before, mostRenamed) &&
      `${renamed.count} of ${before} ids have other names: ${inWords(renamed, renaming)}`,
  ]),

  /**
   * A few places may move. Most places may not move together, no place may take another's position, and only a few may
   * leave the island.
   */
  'moved-places': ofRecords(({ moved, movedFar, exchanged, shiftedMetres, placed }, { rows, left }) => [
    left.length > Math.max(heldBack.most, Math.floor(rows * heldBack.share)) &&
      `${left.length} of ${rows} places leave the island: ${inWords(listed(left), leaving)}`,
    exchanged.count > 0 && `${exchanged.count} places are where others were: ${inWords(exchanged, exchange)}`,
    shiftedMetres !== null && `the places move by the same ${shiftedMetres} m in one direction`,
    exceeds(movedFar, placed, far) && `${movedFar} of ${placed} places move further than ${far.metres} m`,
    exceeds(moved.count, placed, movedMost) &&
      `${moved.count} of ${placed} places move further than ${near.metres} m: ${inWords(moved, move)}`,
  ]),

  /** A first release must not look like another dataset: no earlier release shows the difference. */
  'another-dataset': ({ before, resemblance }) => [before === undefined && resemblance],

  /** An essential field must not be empty in all records while a column of the source is unread. */
  'missing-field': release => [lacking(release, 'no record has', filled => filled === 0)],

  /** Latitude and longitude must not be swapped in all records. */
  'swapped-positions': ({ positions: { all, swapped } }) => [
    all > 0 &&
      swapped === all &&
      `all ${all} positions are on the island only with latitude and longitude swapped: correct the headings`,
  ],

  /** Data that is published as real must not have records of a synthetic island: people would look for its defibrillators. */
  'synthetic-records': ({ rows, syntheticIds }) => [
    syntheticIds > 0 && `${syntheticIds} of ${rows} ids are a synthetic island's, whose records are invented`,
  ],

  /** A single page must not pass for the whole dataset. */
  'incomplete-source': ({ incomplete }) => [incomplete],
}

/** Warns of a first release in which fewer than half of the records have an essential field. */
export function sparseField(release: CheckedRelease): CheckFinding {
  const isSparse = (filled: number) => filled > 0 && filled * 2 < release.rows
  return release.before === undefined && lacking(release, 'fewer than half of the records have', isSparse)
}

function lacking(
  { rows, filled, essential, unmatched }: CheckedRelease,
  words: string,
  isTooFew: (filled: number) => boolean,
): CheckFinding {
  const fields = essential.filter(field => isTooFew(filled.get(field) ?? 0))
  if (rows === 0 || unmatched.length === 0 || fields.length === 0) return undefined
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
  return `${words} ${fields.join(', ')}, but no field takes the columns ${names}: assign them, as by ${fix}`
}

/** Warns if more than a fifth of the rows without ids are gone, even from a short list. */
export function manyReplaced({ removed }: Changes, before: number | undefined): string | undefined {
  if (before === undefined || removed <= before * recordsGone.share) return undefined
  return `${removed} of the ${before} records of the current release are not in the source any more`
}

/** Says how many records have a value in a field: "liveTrackingCode: 6 filled, now 0". */
export const fieldChange = ({ field, before, now }: FieldChange) => `${field}: ${before} filled, now ${now}`

/** Says how far a place moved. */
export const move = ({ name, metres }: Move) => `${name} by ${metres} m`

const exchange = ({ name, of }: Exchange) => `${name} has the position of ${of}`
const leaving = ({ name, position, fault }: LeavingPlace) => `${name} (${position}: ${fault})`

function ofRecords(
  check: (records: RecordLosses, release: CheckedRelease) => readonly CheckFinding[],
): ReleaseCheck {
  return release =>
    release.losses.records === null || release.before === undefined
      ? []
      : check(release.losses.records, release)
}

const ids = (count: number) => (count === 1 ? 'id stands for another record' : 'ids stand for other records')

function renaming({ id, before, now, knownAs }: Renaming): string {
  const known = knownAs === null ? '' : `, which was ${knownAs}`
  return `${id} was "${before}" and is "${now}"${known}`
}
