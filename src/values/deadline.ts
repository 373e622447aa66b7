const STEPS = 5

/**
 * Gives what is promised, or throws what `late` makes after so many milliseconds. They are counted in steps, each at
 * least one turn of the event loop: while this process is too busy to send and to read, nobody else is late.
 */
export function within<T>(milliseconds: number, promised: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    let steps = 0
    const step = () => {
      steps += 1
      // What this turn reads still counts.
      if (steps === STEPS) setImmediate(() => reject(late()))
      else timer = setTimeout(step, milliseconds / STEPS)
    }
    let timer = setTimeout(step, milliseconds / STEPS)
    promised.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
