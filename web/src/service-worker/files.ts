import { SHELL_CACHE } from './shell.ts'

/** Answers with a file that is kept, or gets and keeps it: its name says what it holds, so it never changes. */
export async function answerFile(request: Request): Promise<Response> {
  const cache = await caches.open(SHELL_CACHE)
  const kept = await cache.match(request, { ignoreVary: true })
  if (kept !== undefined) return kept
  const response = await fetch(request)
  if (response.ok) await cache.put(request, response.clone())
  return response
}
