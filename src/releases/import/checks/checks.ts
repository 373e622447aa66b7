import { isOnIsland, pointOf } from '../../../query/geometry.ts'
import type { StoredRecord } from '../../../query/query.ts'
import type { HeldBack } from '../../../store/store.ts'
import { fold, inWords, listed } from '../../../values/text.ts'
import type { Importable, Warn } from '../importable.ts'
import type { BaselineContent } from './baseline.ts'
import { compareWithBaseline, nameIn } from './comparison.ts'
import {
  type CheckedRelease,
  type CheckFinding,
  type LeavingPlace,
  RELEASE_CHECKS,
  sparseField,
} from './release-checks.ts'

/** The result of one check of a release as a whole, for the report. */
export interface CheckResult {
  /** The name that `--accept` takes. */
  readonly name: string
  /** `accepted`: the check failed, and the operator allows that. */
  readonly outcome: 'passed' | 'accepted' | 'failed'
  /** The findings of the check, a sentence each. */
  readonly findings: readonly string[]
}

/** The names of the checks of every release. */
export const CHECK_NAMES: readonly string[] = Object.keys(RELEASE_CHECKS)

/** The failures that an operator allows. */
export interface Allowance {
  /** Publish even if checks fail, with the source's own positions and, for known ids, its own `createdAt`. */
  readonly force?: boolean
  /** Publish even if these checks fail, by name. */
  readonly accept?: readonly string[] | undefined
}

/** Facts about the source, for the checks. */
export type SourceFacts = Pick<CheckedRelease, 'resemblance' | 'incomplete' | 'unmatched'>

/** Checks of a release beyond the comparison with its baseline, and the operator's allowance. */
export interface CheckOptions extends Allowance {
  /** Checks for features that depend on the dataset. */
  readonly dependents?: readonly DependentCheck[] | undefined
  /** Returns the facts about the source, once all its records are known. */
  readonly source?: () => SourceFacts
  /** True if the release will be marked as synthetic. */
  readonly synthetic?: boolean
}

/** The ids of a synthetic island are UUIDs of version 8: publishers issue version 4, and an import makes version 5. */
const SYNTHETIC_ID = /^[\da-f]{8}-[\da-f]{4}-8/i

/** Starts the checks of a whole release against its baseline. Feed it the records, then ask for the losses and results. */
export function startChecks(
  dataset: Importable,
  content: BaselineContent,
  {
    dependents = [],
    source = () => ({ unmatched: [] }),
    synthetic = false,
    force = false,
    accept = [],
  }: CheckOptions = {},
) {
  const hasUuids = dataset.identity.kind === 'uuid'
  let syntheticIds = 0
  const positions = { all: 0, swapped: 0 }
  const comparison = compareWithBaseline(dataset, content)
  const left: LeavingPlace[] = []
  const depending = dependents.map(check => ({ check, lost: valuesOf(dataset, check.field, content) }))
  function countPosition({ latitude, longitude }: StoredRecord): void {
    if (typeof latitude !== 'number' || typeof longitude !== 'number') return
    positions.all++
    if (!isOnIsland(latitude, longitude) && isOnIsland(longitude, latitude)) positions.swapped++
  }
  const released = (rows: number): CheckedRelease => ({
    rows,
    before: content.rows,
    losses: comparison.losses(),
    filled: comparison.filled(),
    left,
    syntheticIds,
    positions,
    essential: dataset.essential ?? [],
    ...source(),
  })
  return {
    /**
     * Replaces a position that leaves the island by the last good position or by null, unless by force. Accepting a
     * check does not change that: it publishes the same records that were refused. Warns of every position that is
     * probably wrong.
     */
    hold(key: string, given: StoredRecord, warn: Warn = () => {}): HeldRecord {
      warnOfHalf(given, warn)
      const fault = faultOf(given)
      if (fault === undefined) return { record: given, given }
      const { field, position, reason } = fault
      const before = content.records.get(key)
      // A place does not leave the island in a first release (design 7), or if it was off the island before.
      const isLeaving = content.records.size > 0 && !(before && faultOf(before))
      if (!isLeaving || force) {
        warn(field, position, reason)
        return { record: given, given, left: isLeaving ? { position, fault: reason } : undefined }
      }
      const last = before && pointOf(before)
      const kept =
        last === undefined ? 'it is published without a position' : 'its last good position is kept'
      warn(field, position, `${reason}; ${kept}`)
      return {
        record: { ...given, latitude: last?.latitude ?? null, longitude: last?.longitude ?? null },
        given,
        left: { position, fault: reason, kept },
      }
    },
    /** The records so far whose positions are held back. */
    heldBack: (): readonly HeldBack[] =>
      left.flatMap(({ id, name, position, fault, kept }) =>
        kept === undefined ? [] : [{ id, name, reason: `${position}: ${fault}; ${kept}` }],
      ),
    /** Takes a record for publication with the result of `hold`. Returns a warning, if any. */
    add(key: string, record: StoredRecord, held: HeldRecord = { record, given: record }): string | undefined {
      const { given } = held
      const metres = comparison.add(key, record, given)
      if (held.left !== undefined) left.push({ id: key, name: nameIn(dataset, record), ...held.left })
      if (hasUuids && !synthetic && SYNTHETIC_ID.test(key)) syntheticIds++
      for (const { check, lost } of depending) {
        const { [check.field]: value } = record
        if (typeof value === 'string') lost.delete(fold(value))
      }
      countPosition(given)
      return metres === undefined
        ? undefined
        : `puts ${nameIn(dataset, record)} ${metres} m from where it was`
    },
    losses: comparison.losses,
    filled: comparison.filled,
    /** A warning about all records that is no reason to refuse them. */
    warning: (rows: number) => sparseField(released(rows)),
    async results(rows: number): Promise<CheckResult[]> {
      const release = released(rows)
      const found: [name: string, findings: readonly CheckFinding[]][] = []
      for (const [name, check] of Object.entries(RELEASE_CHECKS)) found.push([name, check(release)])
      for (const { check, lost } of depending)
        found.push([check.name, await check.findings([...lost.values()])])
      return found.map(([name, all]) => {
        const findings = all.filter(finding => typeof finding === 'string')
        const isAllowed = force || accept.includes(name)
        const outcome = findings.length === 0 ? 'passed' : isAllowed ? 'accepted' : 'failed'
        return { name, outcome, findings }
      })
    },
  }
}

/** A record as published, and as given by its source. `left` says how the given position leaves the island. */
interface HeldRecord {
  readonly record: StoredRecord
  readonly given: StoredRecord
  readonly left?: Omit<LeavingPlace, 'id' | 'name'> | undefined
}

/** Warns of half a position. A missing position is no warning. */
function warnOfHalf({ latitude, longitude }: StoredRecord, warn: Warn): void {
  const [hasLatitude, hasLongitude] = [typeof latitude === 'number', typeof longitude === 'number']
  if (hasLatitude && !hasLongitude) warn('longitude', null, 'is missing, but there is a latitude')
  if (hasLongitude && !hasLatitude) warn('latitude', null, 'is missing, but there is a longitude')
}

/**
 * The fault of a position, and the field that shows the fault; undefined on the island, and for half a position or none
 * at all.
 */
function faultOf({ latitude, longitude }: StoredRecord) {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined
  if (isOnIsland(latitude, longitude)) return undefined
  const fault = (field: string, reason: string) => ({ field, position: `${latitude}, ${longitude}`, reason })
  if (latitude === 0 && longitude === 0) return fault('latitude', 'the coordinates are 0, 0')
  if (isOnIsland(longitude, latitude))
    return fault('latitude', 'lies off the island; latitude and longitude may be swapped')
  if (isOnIsland(latitude, -longitude))
    return fault('longitude', 'lies off the island; a minus sign may be missing')
  return fault('latitude', 'lies off the island')
}

/** A check for a feature that depends on the values of a field, as live parking depends on codes. */
export interface DependentCheck {
  /** The name that `--accept` takes. */
  readonly name: string
  readonly field: string
  /** A sentence for each loss that the absence of these values would cause. */
  findings(lost: readonly LostValue[]): Promise<readonly string[]>
}

/** A text that no record has now. */
interface LostValue {
  readonly value: string
  /** The name of the record that had it. */
  readonly name: string
}

/** The baseline's texts in a field by their folded form, which ignores case. */
function valuesOf(dataset: Importable, field: string, { records }: BaselineContent): Map<string, LostValue> {
  const values = new Map<string, LostValue>()
  for (const record of records.values()) {
    const { [field]: value } = record
    if (typeof value === 'string') values.set(fold(value), { value, name: nameIn(dataset, record) })
  }
  return values
}

/** Findings of each check in the reason; the report has all. */
const TOLD = 3

/** Why a release is refused, and what to do, in one sentence; undefined if every check passed or is accepted. */
export function whyRefused(results: readonly CheckResult[]): string | undefined {
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  if (failed.length === 0) return undefined
  const found = failed.map(({ name, findings }) => `${name}: ${inWords(listed(findings), String, TOLD)}`)
  const accept = failed.map(({ name }) => `--accept ${name}`).join(' ')
  return `${found.join('; ')}; if that is right, use ${accept}, or --force for all checks`
}
