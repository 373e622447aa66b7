/**
 * Settles as the promise does, or rejects with the signal's reason as soon as it is aborted, unless `unless` was aborted
 * before.
 */
export async function abortable<T>(
  promised: Promise<T>,
  signal: AbortSignal | undefined,
  unless?: AbortSignal,
): Promise<T> {
  if (signal === undefined) return promised
  signal.throwIfAborted()
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => {
      if (!unless?.aborted) reject(signal.reason)
    }
  })
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([promised, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
