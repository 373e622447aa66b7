/** A value that is there already, or will be. What is there is not made to wait for the next turn. */
export type Eventual<T> = T | Promise<T>

/** Goes on with a value: at once if it is there. */
export function whenThere<T, U>(value: Eventual<T>, next: (value: T) => Eventual<U>): Eventual<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}
