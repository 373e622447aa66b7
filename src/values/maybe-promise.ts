/** A value that is there already, or will be. What is there is not made to wait for the next turn. */
export type MaybePromise<T> = T | Promise<T>

/** Goes on with a value: at once if it is there. */
export function chain<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}
