import type { Layout } from '../../query/layout.ts'
import type { StoredRecord } from '../../query/query.ts'
import { abortable } from '../../values/promises.ts'
import { contentOf, type Measures, measureRecords } from '../encoding/content.ts'
import { gatherDigests } from '../encoding/digests.ts'
import type { StoredDataset } from '../store.ts'
import type { PlacedFile } from './releases.ts'
import type { ReleaseWriter } from './writer.ts'

/** The content of a release that is being written, measured on the way. */
export type Draft = Awaited<ReturnType<typeof startDraft>>

/** Starts the content of a release. */
export async function startDraft(
  { startRelease }: Pick<ReleaseWriter, 'startRelease'>,
  dataset: string,
  layout: Layout,
) {
  const builder = await startRelease(dataset, layout)
  const gathered = gatherDigests()
  const measured = measureRecords()
  return {
    ...builder,
    append(key: string, record: StoredRecord, content: string): Promise<void> | undefined {
      const appended = builder.append(record, content)
      measured.add(content, gathered.add(key, content))
      return appended
    },
    /** Resolves to the measures, and to the digests of the records. */
    async seal(onPhase: (phase: string) => void) {
      const digests = gathered.bytes()
      await builder.seal(digests, onPhase)
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
  onPhase: (phase: string) => void = () => {},
  signal?: AbortSignal,
): Promise<BuiltRelease> {
  const draft = await startDraft(writer, name, layout)
  try {
    for await (const record of records) await draft.append(keyOf(record), record, contentOf(record))
    const measures = await abortable(draft.seal(onPhase), signal)
    return { file: await draft.place(number), measures, remove: draft.remove }
  } catch (error) {
    await draft.remove().catch(() => undefined)
    throw error
  }
}
