import type { ApiError, GetJson } from '../../../src/interfaces/web/explorer.ts'
import { to } from '../address.ts'

/** Long enough for a slow phone, and short enough for another try while its owner still looks. */
const TIMEOUT_MS = 15_000

interface JsonGetterOptions {
  readonly cache?: RequestCache
  /** Called with each response. The getter rejects with its error. */
  readonly onResponse?: (response: Response) => void
}

/** Creates a function that gets JSON from the service over the network. It rejects with an {@link ApiError}. */
export const createJsonGetter =
  ({ cache = 'default', onResponse = () => {} }: JsonGetterOptions = {}): GetJson =>
  async <T>(path: string) => {
    const response = await fetch(to(path), {
      cache,
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    onResponse(response)
    if (response.ok) return (await response.json()) as T
    const problem = await response.json().catch(() => undefined)
    const retryAfter = response.headers.get('retry-after')
    throw Object.assign(new Error(problem?.detail ?? `status ${response.status}`), {
      problem,
      ...(retryAfter !== null && { retryAfterS: Number(retryAfter) }),
    }) as ApiError
  }

/** Gets JSON from the service over the network. Rejects with an {@link ApiError}. */
export const getJson: GetJson = createJsonGetter()
