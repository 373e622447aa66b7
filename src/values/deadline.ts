const STEPS = 5

/**
 * Settles as the promise does, or rejects with the error of `late` after the timeout. It is measured in steps of at least
 * one turn of the event loop: time in which this process is too busy to send and read does not count against the peer.
 */
export function within<T>(milliseconds: number, promised: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    let steps = 0
    const step = () => {
      steps += 1
      // A result that this turn reads is still in time.
      if (steps === STEPS) setImmediate(() => reject(late()))
      else timer = setTimeout(step, milliseconds / STEPS)
    }
    let timer = setTimeout(step, milliseconds / STEPS)
    promised.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
