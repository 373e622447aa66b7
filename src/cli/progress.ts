import { SingleBar } from 'cli-progress'
import type { Progress } from '../releases/report.ts'
import { counted, figure } from './words.ts'

const MS_BETWEEN_LINES = 2000

/** Shows how far something has come, on standard error. */
export interface ProgressDisplay {
  update(progress: Progress): void
  /** Leaves the terminal as it was. */
  stop(): void
}

/** A bar where the stream is a terminal; else a line every two seconds, so that what is quick says nothing. */
export function progressDisplay(stream: NodeJS.WriteStream, what: string): ProgressDisplay {
  return stream.isTTY ? bar(stream, what) : lines(stream, what)
}

function bar(stream: NodeJS.WriteStream, what: string): ProgressDisplay {
  let shown: SingleBar | undefined
  return {
    update({ rows, bytesRead, bytesTotal }) {
      if (shown === undefined) {
        const measure = bytesTotal === null ? '' : '[{bar}] {percentage}%  '
        const options = {
          stream,
          format: `${what}  ${measure}{shown} rows`,
          hideCursor: true,
          clearOnComplete: true,
        }
        shown = new SingleBar(options)
        shown.start(bytesTotal ?? 0, 0, { shown: '0' })
      }
      shown.update(bytesRead, { shown: figure(rows) })
    },
    stop() {
      shown?.stop()
    },
  }
}

function lines(stream: NodeJS.WriteStream, what: string): ProgressDisplay {
  let last = performance.now()
  return {
    update({ rows, bytesRead, bytesTotal }) {
      if (performance.now() - last < MS_BETWEEN_LINES) return
      last = performance.now()
      const share = bytesTotal ? `, ${Math.floor((100 * bytesRead) / bytesTotal)} %` : ''
      stream.write(`${what}: ${counted(rows, 'row')}${share}\n`)
    },
    stop() {},
  }
}
