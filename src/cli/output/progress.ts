import { SingleBar } from 'cli-progress'
import type { Progress } from '../../releases/import/report.ts'
import { counted, figure } from '../../values/numbers.ts'

const MS_BETWEEN_LINES = 2000

/** Shows progress on standard error. */
export interface ProgressDisplay {
  update(progress: Progress): void
  /** Leaves the terminal as it was. */
  stop(): void
}

/** Runs an import with its progress on standard error. */
export async function withProgress<T>(
  what: string,
  source: string,
  run: (onProgress: ProgressDisplay['update']) => Promise<T>,
): Promise<T> {
  const display = progressDisplay(process.stderr, what)
  try {
    return await run(display.update)
  } finally {
    display.stop()
    // Unread standard input would keep the process alive.
    if (source === '-') process.stdin.destroy()
  }
}

/**
 * On a terminal, a bar. Elsewhere a line every two seconds, and a line for each phase after the first two seconds, so that
 * quick work prints nothing.
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
        const format = `${what}  ${measure}{shown} rows{phase}`
        shown = new SingleBar({ stream, format, hideCursor: true, clearOnComplete: true })
        shown.start(bytesTotal ?? 0, 0, { shown: '0', phase: '' })
      }
      shown.update(bytesRead, { shown: figure(rows), phase: phase === undefined ? '' : `, ${phase}…` })
      // Drawn at once: the work that follows may block the event loop.
      if (phase !== undefined) shown.render()
    },
    stop: () => shown?.stop(),
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
      const share = bytesTotal ? `, ${Math.floor((100 * bytesRead) / bytesTotal)} %` : ''
      stream.write(`${what}: ${phase === undefined ? `${counted(rows, 'row')}${share}` : `${phase}…`}\n`)
    },
    stop() {},
  }
}
