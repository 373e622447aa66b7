import { createColumns } from '../../sources/columns.ts'
import { openSource } from '../../sources/rows.ts'
import { contentOf, releaseHash } from '../../store/encoding/content.ts'
import type { Store } from '../../store/store.ts'
import { readBaseline } from '../import/checks/baseline.ts'
import { startChecks } from '../import/checks/checks.ts'
import { requiredFields } from '../import/field-schema.ts'
import type { ImportOptions } from '../import/import.ts'
import type { Importable } from '../import/importable.ts'
import { createStatistics, type ImportReport, type Progress, reported } from '../import/report.ts'
import { stageRows } from '../import/staging-rows.ts'
import type { TakeRecord } from './differences.ts'

/** A source to compare with a release. */
export type ComparedSource = Pick<ImportOptions, 'source' | 'input' | 'map' | 'reading'>

/** What was read of a source, as the report of an import has it. */
export interface SourceReport
  extends Pick<ImportReport, 'source' | 'ignoredColumns' | keyof ReturnType<typeof reported>> {
  /** The hash of the release that an import would make of it. */
  readonly hash: string
}

interface Reading {
  readonly store: Store
  readonly dataset: Importable
  readonly now: Date
  readonly onProgress: (progress: Progress) => void
}

/** Hands over the records that an import of a source would publish. Throws `Refusal` where it would read none. */
export async function readSourceRecords(
  { source, input, map, reading }: ComparedSource,
  { store, dataset, now, onProgress }: Reading,
  take: TakeRecord,
): Promise<SourceReport> {
  const statistics = createStatistics()
  const hash = releaseHash()
  const columns = createColumns(dataset, map, requiredFields(dataset))
  const opened = await openSource(source, input, reading)
  await stageRows(opened.rows(columns), {
    ...{ store, dataset, statistics, now: now.toISOString(), force: false },
    listSeparator: reading?.listSeparator,
    async compare() {
      const baseline = await readBaseline(store, dataset, false)
      return { baseline, checking: startChecks(dataset, baseline.content) }
    },
    staging: {
      append(key, record, json) {
        const content = json ?? contentOf(record)
        hash.add(content)
        take(key, record, content)
        return undefined
      },
    },
    onBatch: () =>
      onProgress({ rows: statistics.read, bytesRead: opened.bytesRead(), bytesTotal: opened.bytesTotal }),
  })
  return { source, hash: hash.digest(), ...reported(statistics), ignoredColumns: [...columns.ignored.keys()] }
}
