import { SHELL_CACHE } from './shell.ts'

/** Answers with a kept file, or gets and keeps it. A file never changes, because its name has a hash of its content. */
export async function answerFile(request: Request): Promise<Response> {
  const cache = await caches.open(SHELL_CACHE)
  const kept = await cache.match(request, { ignoreVary: true })
  if (kept !== undefined) return kept
  const response = await fetch(request)
  if (response.ok) await cache.put(request, response.clone())
  return response
}
