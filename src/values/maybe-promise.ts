/** A value or a promise of it; a value that is available does not wait for the next microtask. */
export type MaybePromise<T> = T | Promise<T>

/** Applies `next` to a value: synchronously, unless it is a promise. */
export function chain<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}
