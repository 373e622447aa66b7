import type { Layout } from '../../query/layout.ts'
import type { StoredRecord } from '../../query/query.ts'
import { abortable } from '../../values/promises.ts'
import { contentOf, type Measures, measureRecords } from '../encoding/content.ts'
import { gatherDigests } from '../encoding/digests.ts'
import type { StoredDataset } from '../store.ts'
import type { PlacedFile } from './releases.ts'
import type { ReleaseBuilder, ReleaseWriter } from './writer.ts'

/** The content of a release that is being written, measured on the way. */
export interface Draft extends Pick<ReleaseBuilder, 'place' | 'remove'> {
  append(key: string, record: StoredRecord, content: string): Promise<void> | undefined
  /** Resolves to the digests of the records as well. */
  seal(onPhase: (phase: string) => void): Promise<Measures & { readonly digests: Uint8Array }>
}

/** Starts the content of a release. */
export async function startDraft(
  { startRelease }: Pick<ReleaseWriter, 'startRelease'>,
  dataset: string,
  layout: Layout,
): Promise<Draft> {
  const { append, seal, place, remove } = await startRelease(dataset, layout)
  const gathered = gatherDigests()
  const measured = measureRecords()
  return {
    place,
    remove,
    append(key, record, content) {
      const appended = append(record, content)
      measured.add(content, gathered.add(key, content))
      return appended
    },
    async seal(onPhase) {
      const digests = gathered.bytes()
      await seal(digests, onPhase)
      return { ...measured.end(), digests }
    },
  }
}

/** The content of a release that was built where no reader looks for it. */
export interface BuiltRelease {
  readonly file: PlacedFile
  readonly measures: Measures
  remove(): Promise<void>
}

/** Builds the content of a release whose number is known. */
export async function buildRelease(
  writer: Pick<ReleaseWriter, 'startRelease'>,
  { name, layout, keyOf }: StoredDataset,
  number: number,
  records: AsyncIterable<StoredRecord>,
  {
    onPhase = () => {},
    signal,
  }: { onPhase?: (phase: string) => void; signal?: AbortSignal | undefined } = {},
): Promise<BuiltRelease> {
  const { append, seal, place, remove } = await startDraft(writer, name, layout)
  try {
    for await (const record of records) await append(keyOf(record), record, contentOf(record))
    const measures = await abortable(seal(onPhase), signal)
    return { file: await place(number), measures, remove }
  } catch (error) {
    await remove().catch(() => undefined)
    throw error
  }
}
