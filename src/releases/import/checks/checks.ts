import { isOnIsland } from '../../../query/geometry.ts'
import type { StoredRecord } from '../../../query/query.ts'
import type { HeldBack } from '../../../store/store.ts'
import { fold } from '../../../values/text.ts'
import type { Importable } from '../importable.ts'
import type { BaselineContent } from './baseline.ts'
import { compareWithBaseline, nameIn } from './comparison.ts'
import { type HeldRecord, holdPosition } from './held-positions.ts'
import { inWords, listed } from './losses.ts'
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
  /** `accepted`: failed, and the operator allows it. */
  readonly outcome: 'passed' | 'accepted' | 'failed'
  /** What it found, a sentence each. */
  readonly findings: readonly string[]
}

/** The names of the checks of every release. */
export const CHECK_NAMES: readonly string[] = Object.keys(RELEASE_CHECKS)

/** What an operator allows. */
export interface Allowance {
  /** Publish whichever checks fail, and the source's `createdAt` of known ids. */
  readonly force?: boolean
  /** Publish although these checks fail, by name. */
  readonly accept?: readonly string[]
}

/** What a source itself tells a check. */
export type SourceFacts = Pick<CheckedRelease, 'resemblance' | 'incomplete' | 'unmatched'>

/** Checks of a release beyond the comparison with its baseline. */
export interface CheckOptions {
  /** Checks of what depends on the dataset. */
  readonly dependents?: readonly DependentCheck[] | undefined
  /** Tells about the source, once all its records are known. */
  readonly source?: () => SourceFacts
  /** True where the release is to be marked as synthetic. */
  readonly synthetic?: boolean
  /** Publishes every position as the source has it. */
  readonly force?: boolean
}

/** The ids of a synthetic island are UUIDs of version 8: publishers issue version 4, and an import makes version 5. */
const SYNTHETIC_ID = /^[\da-f]{8}-[\da-f]{4}-8/i

/** Checks a release as a whole against its baseline: fed with its records, then asked for its losses and the results. */
export type Checking = ReturnType<typeof startChecks>

/** Starts the checks of a release. */
export function startChecks(
  dataset: Importable,
  content: BaselineContent,
  {
    dependents = [],
    source = () => ({ unmatched: [] }),
    synthetic = false,
    force = false,
  }: CheckOptions = {},
) {
  const hasUuids = dataset.identity.kind === 'uuid'
  let syntheticIds = 0
  const positions = { all: 0, swapped: 0 }
  const comparison = compareWithBaseline(dataset, content)
  const left: LeavingPlace[] = []
  const hold = (key: string, given: StoredRecord): HeldRecord =>
    content.records.size > 0 ? holdPosition(content.records, key, given) : { record: given }
  const depending = dependents.map(check => ({
    check,
    values: createLostValues(dataset, check.field, content),
  }))
  function countPosition({ latitude, longitude }: StoredRecord): void {
    if (typeof latitude !== 'number' || typeof longitude !== 'number') return
    positions.all++
    if (!isOnIsland(latitude, longitude) && isOnIsland(longitude, latitude)) positions.swapped++
  }
  const released = (rows: number): CheckedRelease => ({
    ...{ rows, before: content.rows, losses: comparison.losses(), filled: comparison.filled(), left },
    ...{ syntheticIds, positions, essential: dataset.essential ?? [], ...source() },
  })
  return {
    /** The record with the position to publish. Not held where a check is accepted alone: that publishes what it refused. */
    hold: (key: string, given: StoredRecord): HeldRecord => (force ? { record: given } : hold(key, given)),
    /** The records so far whose positions are held back. */
    heldBack: (): readonly HeldBack[] =>
      (force ? [] : left).map(({ id, name, position, fault, kept }) => ({
        ...{ id, name, reason: `${position}: ${fault}; ${kept}` },
      })),
    /** Takes a record that is published, with the position that its source gave. Gives what to warn of. */
    add(key: string, record: StoredRecord, given = record): string | undefined {
      const metres = comparison.add(key, record, given)
      const { held } = hold(key, given)
      if (held !== undefined) left.push({ id: key, name: nameIn(dataset, record), ...held })
      if (hasUuids && !synthetic && SYNTHETIC_ID.test(key)) syntheticIds++
      for (const { values } of depending) values.add(record)
      countPosition(given)
      return metres === undefined
        ? undefined
        : `puts ${nameIn(dataset, record)} ${metres} m from where it was`
    },
    losses: comparison.losses,
    filled: comparison.filled,
    /** What is odd about all records, but no reason to refuse them. */
    warning: (rows: number) => sparseField(released(rows)),
    async results(rows: number, { force = false, accept = [] }: Allowance): Promise<CheckResult[]> {
      const release = released(rows)
      const found: [name: string, findings: readonly CheckFinding[]][] = []
      for (const [name, check] of Object.entries(RELEASE_CHECKS)) found.push([name, check(release)])
      for (const { check, values } of depending) found.push([check.name, await check.findings(values.lost())])
      return found.map(([name, all]) => {
        const findings = all.filter(finding => typeof finding === 'string')
        const isAllowed = force || accept.includes(name)
        const outcome = findings.length === 0 ? 'passed' : isAllowed ? 'accepted' : 'failed'
        return { name, outcome, findings }
      })
    },
  }
}

/** A check for what depends on the values of a dataset's field, such as the codes that live parking goes by. */
export interface DependentCheck {
  /** The name that `--accept` takes. */
  readonly name: string
  readonly field: string
  /** A sentence for each loss that the absence of these values would cause. */
  findings(lost: readonly LostValue[]): Promise<readonly string[]>
}

/** A text that no record has any more. */
interface LostValue {
  readonly value: string
  /** The name of the record that had it. */
  readonly name: string
}

/** Finds the texts of a field, without regard to case, that the baseline has and a new release lacks. */
function createLostValues(dataset: Importable, field: string, { records }: BaselineContent) {
  const lost = new Map<string, LostValue>()
  for (const record of records.values()) {
    const { [field]: value } = record
    if (typeof value === 'string') lost.set(fold(value), { value, name: nameIn(dataset, record) })
  }
  return {
    add({ [field]: value }: StoredRecord): void {
      if (typeof value === 'string') lost.delete(fold(value))
    },
    lost: (): readonly LostValue[] => [...lost.values()],
  }
}

/** Findings of each check in the reason; the report has all. */
const TOLD = 3

/** Why a release is refused, and what to do, in one sentence; undefined where every check passed or may fail. */
export function whyRefused(results: readonly CheckResult[]): string | undefined {
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  if (failed.length === 0) return undefined
  const found = failed.map(({ name, findings }) => `${name}: ${inWords(listed(findings), String, TOLD)}`)
  const accept = failed.map(({ name }) => `--accept ${name}`).join(' ')
  return `${found.join('; ')}; if that is right, use ${accept}, or --force for all checks`
}
