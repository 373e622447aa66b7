import type { ImportReport, Progress } from '../releases/import/report.ts'
import { type ProgressDisplay, progressDisplay } from './progress.ts'
import { counted, span } from './words.ts'

/** Shows the progress of filling the island on a stream, dataset by dataset. */
export function demoProgress(stream: NodeJS.WriteStream): {
  update(dataset: string, progress: Progress): void
  /** Prints one line per imported dataset; nothing where all existed. */
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
