import { constants } from 'node:os'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * While the work goes on, a signal asks `stop`; where that says true the process ends with the shell's status for the
 * signal (130 for SIGINT). A second signal ends it at once.
 */
export async function interruptible<T>(stop: () => Promise<boolean>, work: () => Promise<T>): Promise<T> {
  let stopping: Promise<void> | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    for (const each of SIGNALS) process.off(each, onSignal)
    const end = () => {
      process.stderr.write('interrupted: nothing was changed\n')
      process.exit(128 + constants.signals[signal])
    }
    // If dropping fails, ending the process does it: the store sweeps what was left behind.
    stopping = stop().then(stopped => {
      if (stopped) end()
    }, end)
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  try {
    return await work()
  } catch (error) {
    // What is stopped fails; that it was stopped is all there is to say.
    await stopping
    throw error
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
}
