import { Readable } from 'node:stream'
import { PAGE_END } from '../../sources/bytes.ts'
import { declaredEncoding } from '../../sources/encodings.ts'
import { openSourceAddress, receive, type SourceFetchOptions } from '../../sources/fetch/source-address.ts'
import { DamagedReleaseError, type SourceState } from '../../store/store.ts'
import { shownAddress } from '../../values/addresses/shown-address.ts'
import { isInForce } from '../import/corrections.ts'
import { type ImportOptions, importDataset } from '../import/import.ts'
import type { ImportReport } from '../import/report.ts'

/** The validators and the hash of a source from earlier attempts. */
export type KnownSource = Pick<SourceState, 'validators' | 'hash'>

/**
 * The result of a fetched source; without a report if the server said that nothing has changed. New ids in refused
 * records have the time `at` (ISO 8601 UTC): the same time makes the same hash.
 */
export type ImportedSource =
  | (KnownSource & { readonly outcome: 'not changed'; readonly report?: ImportReport })
  | (KnownSource & { readonly outcome: 'published'; readonly release: number; readonly report: ImportReport })
  | {
      readonly outcome: 'refused'
      readonly reason: string
      readonly report: ImportReport
      readonly at: string
    }

/** The source's address with its bounds, and the options of its import. */
export interface SourceImport {
  readonly address: string
  readonly fetch: Pick<SourceFetchOptions, 'maxBytes' | 'timeoutMs' | 'allowPrivate'>
  readonly options: Omit<ImportOptions, 'source' | 'input' | 'lastHash'>
}

/**
 * Fetches a source if it has changed, and publishes it unless the import is refused. Throws `FetchError`, the store's
 * errors, or the signal's reason.
 */
export async function importSource(
  { address, fetch, options }: SourceImport,
  known: KnownSource,
): Promise<ImportedSource> {
  const { signal } = options
  const opened = await openSourceAddress(address, {
    ...fetch,
    signal,
    validators: (await hasLastingRelease(options)) ? known.validators : undefined,
  })
  const { chunks, headers, close } = opened
  try {
    if (chunks === undefined) return { ...known, outcome: 'not changed' }
    let isInPages = false
    async function* watched() {
      for await (const chunk of receive(opened)) {
        isInPages ||= chunk === PAGE_END
        yield chunk
      }
    }
    const input = Readable.from(watched())
    const now = options.now?.() ?? new Date()
    const report = await importDataset({
      ...options,
      input,
      source: shownAddress(address),
      now: () => now,
      reading: { ...declaredEncoding(headers['content-type']), ...options.reading },
      lastHash: known.hash ?? undefined,
    })
    // The report states this error as a refusal of the source.
    if (input.errored !== null) throw input.errored
    const { outcome, release, reason = '' } = report
    // The validators belong to the first page, but later pages may change on their own.
    const validators = isInPages ? {} : opened.validators
    if (outcome === 'refused') return { outcome, reason, report, at: now.toISOString() }
    if (outcome === 'published' && release !== null)
      return { outcome, validators, hash: release.hash, release: release.number, report }
    return { outcome: 'not changed', validators, hash: release?.hash ?? known.hash, report }
  } finally {
    await close()
  }
}

/**
 * Whether the current release is undamaged, and none of its corrections has ended: only then may the source answer that nothing
 * has changed.
 */
async function hasLastingRelease({ store, dataset, now }: SourceImport['options']): Promise<boolean> {
  const { releases } = store
  const current = await releases.current(dataset.name)
  if (current === undefined) return false
  if (current.corrected?.some(correction => !isInForce(correction, now?.() ?? new Date()))) return false
  try {
    await releases.verify(current)
    return true
  } catch (error) {
    if (error instanceof DamagedReleaseError) return false
    throw error
  }
}
