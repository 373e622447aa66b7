import type { Answer } from './answer.tsx'

/** Nobody reads more on a page, and more slows the phone. */
const MAX_BYTES = 100_000
/** A stream of events never ends. The page shows the part that has arrived by then. */
const MAX_MS = 10_000

/** Sends a request, and reads the beginning of its response. Rejects without an answer. */
export async function send(url: string): Promise<Answer> {
  const started = performance.now()
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), MAX_MS)
  try {
    // Without a cache the answer is the service's own.
    const response = await fetch(url, { headers: { accept: '*/*' }, cache: 'no-store', signal: abort.signal })
    const milliseconds = Math.round(performance.now() - started)
    const type = response.headers.get('content-type') ?? ''
    const { text, size, isCut } = await readBeginning(response, type.startsWith('text/event-stream'))
    abort.abort()
    const isText = /json|text|xml|csv/.test(type) || size === 0
    return {
      ...{ status: response.status, milliseconds, headers: [...response.headers], size, isCut },
      body: isText ? (type.includes('json') && !isCut ? indented(text) : text) : undefined,
    }
  } finally {
    clearTimeout(timer)
  }
}

async function readBeginning(response: Response, isStream: boolean) {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) return { text, size, isCut: false }
    size += value.length
    text += decoder.decode(value, { stream: true })
    const hasEvent = isStream && text.includes('\n\n')
    if (size >= MAX_BYTES || hasEvent) return { text: text.slice(0, MAX_BYTES), size, isCut: true }
  }
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
