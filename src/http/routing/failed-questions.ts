import type { IncomingMessage } from 'node:http'

const failures = new WeakMap<IncomingMessage, { readonly error: unknown }>()

/** Keeps what came of a question that failed past the framework, which is to say so and not to ask again. */
export function keepFailure(request: IncomingMessage, error: unknown): void {
  failures.set(request, { error })
}

/** Throws what came of a question, if it was asked already. */
export function throwKeptFailure(request: IncomingMessage): void {
  const failure = failures.get(request)
  if (failure !== undefined) throw failure.error
}
