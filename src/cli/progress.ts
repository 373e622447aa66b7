import { SingleBar } from 'cli-progress'
import type { Progress } from '../releases/import/report.ts'
import { counted, figure } from './words.ts'

const MS_BETWEEN_LINES = 2000

/** Shows progress on standard error. */
export interface ProgressDisplay {
  update(progress: Progress): void
  /** Leaves the terminal as it was. */
  stop(): void
}

/**
 * A bar where the stream is a terminal; else a line every two seconds, and one for each phase after that, so that quick
 * work prints nothing.
 */
export function progressDisplay(stream: NodeJS.WriteStream, what: string): ProgressDisplay {
  return stream.isTTY ? bar(stream, what) : lines(stream, what)
}

function bar(stream: NodeJS.WriteStream, what: string): ProgressDisplay {
  let shown: SingleBar | undefined
  return {
    update({ rows, bytesRead, bytesTotal, phase }) {
      if (shown === undefined) {
        const measure = bytesTotal === null ? '' : '[{bar}] {percentage}%  '
        const options = {
          stream,
          format: `${what}  ${measure}{shown} rows{phase}`,
          hideCursor: true,
          clearOnComplete: true,
        }
        shown = new SingleBar(options)
        shown.start(bytesTotal ?? 0, 0, { shown: '0', phase: '' })
      }
      shown.update(bytesRead, { shown: figure(rows), phase: phase === undefined ? '' : `, ${phase}…` })
      // Drawn at once: the work that follows may block the event loop.
      if (phase !== undefined) shown.render()
    },
    stop() {
      shown?.stop()
    },
  }
}

function lines(stream: NodeJS.WriteStream, what: string): ProgressDisplay {
  const started = performance.now()
  let last = started
  return {
    update({ rows, bytesRead, bytesTotal, phase }) {
      const now = performance.now()
      if (now - (phase === undefined ? last : started) < MS_BETWEEN_LINES) return
      last = now
      if (phase !== undefined) {
        stream.write(`${what}: ${phase}…\n`)
        return
      }
      const share = bytesTotal ? `, ${Math.floor((100 * bytesRead) / bytesTotal)} %` : ''
      stream.write(`${what}: ${counted(rows, 'row')}${share}\n`)
    },
    stop() {},
  }
}
