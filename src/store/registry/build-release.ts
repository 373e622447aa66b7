import type { StoredRecord } from '../../query/query.ts'
import { abortable } from '../../values/promises.ts'
import { contentOf, type Measures } from '../encoding/content.ts'
import type { StoredDataset } from '../store.ts'
import type { PlacedFile } from './releases.ts'
import type { ReleaseWriter } from './writer.ts'

/** The content of a release, built where no reader looks. */
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
  const builder = await writer.startRelease(name, layout)
  try {
    for await (const record of records) await builder.append(keyOf(record), record, contentOf(record))
    const measures = await abortable(builder.seal(onPhase), signal)
    return { file: await builder.place(number), measures, remove: builder.remove }
  } catch (error) {
    await builder.remove().catch(() => undefined)
    throw error
  }
}
