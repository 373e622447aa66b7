import {
  DamagedReleaseError,
  StoreBusyError,
  StoreUnusableError,
  UnknownReleaseError,
} from '../store/store.ts'

/** An error as a worker thread posts it: its class is lost between threads. */
export interface ThreadFailure {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
}

/** What a worker thread posts of an error. */
export const failureOf = ({ name, message, stack }: Error): ThreadFailure => ({ name, message, stack })

const CLASSES = [StoreBusyError, StoreUnusableError, DamagedReleaseError, UnknownReleaseError]

/** The error that a worker thread has posted, of its class again. */
export function thrownOf({ name, message, stack }: ThreadFailure): Error {
  const Known = CLASSES.find(each => new each().name === name) ?? Error
  return Object.assign(new Known(message), { name, ...(stack === undefined ? {} : { stack }) })
}
