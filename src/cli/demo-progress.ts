import type { ImportReport, Progress } from '../releases/import/report.ts'
import { type ProgressDisplay, progressDisplay } from './progress.ts'
import { counted, span } from './words.ts'

/** Shows on a stream how the island is filled, a dataset after the other. */
export function demoProgress(stream: NodeJS.WriteStream): {
  update(dataset: string, progress: Progress): void
  /** Says what was made: a line a dataset, nothing where all was there. */
  finish(reports: readonly ImportReport[]): void
} {
  let shown: { dataset: string; display: ProgressDisplay } | undefined
  return {
    update(dataset, progress) {
      if (shown?.dataset !== dataset) {
        shown?.display.stop()
        shown = { dataset, display: progressDisplay(stream, dataset) }
      }
      shown.display.update(progress)
    },
    finish(reports) {
      shown?.display.stop()
      for (const { dataset, accepted, durationMs } of reports)
        stream.write(`${dataset}: made ${counted(accepted, 'synthetic record')} in ${span(durationMs)}\n`)
    },
  }
}
