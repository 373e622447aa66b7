import { constants } from 'node:os'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Runs work that the first SIGINT or SIGTERM aborts. If the work then fails, the process exits with the shell's status for
 * the signal (130 for SIGINT). Work past its point of no return ignores the abort and ends as usual. A second signal ends
 * the process at once.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const aborting = new AbortController()
  let received: NodeJS.Signals | undefined
  const stopListening = () => {
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
  const onSignal = (signal: NodeJS.Signals) => {
    stopListening()
    received = signal
    aborting.abort()
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  try {
    return await work(aborting.signal)
  } catch (error) {
    if (received === undefined) throw error
    process.stderr.write('interrupted: nothing was changed\n')
    return process.exit(128 + constants.signals[received])
  } finally {
    stopListening()
  }
}
