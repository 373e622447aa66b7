/** An event of a stream. */
export interface ParsedEvent {
  readonly event: string
  readonly data: string
  /** The last id in the stream. */
  readonly id: string
}

export interface EventParser {
  /** Takes the next piece of a stream and returns the completed events. */
  take(text: string): ParsedEvent[]
  /** How long clients must wait before they reconnect, if the server says so. */
  readonly retryMs: number | undefined
}

/** Parses a stream of server-sent events (HTML living standard 9.2.6) that arrives in pieces. */
export function createEventParser(): EventParser {
  let rest = ''
  let id = ''
  let event = ''
  let data: string[] = []
  let retryMs: number | undefined

  function takeField(line: string): void {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'event') event = value
    else if (name === 'data') data.push(value)
    else if (name === 'id' && !value.includes('\0')) id = value
    else if (name === 'retry' && /^\d+$/.test(value)) retryMs = Number(value)
  }

  return {
    get retryMs() {
      return retryMs
    },
    take(text) {
      // A CR at the end may be half of a CRLF, so it waits for the next piece.
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop() ?? ''
      const events: ParsedEvent[] = []
      for (const line of lines)
        if (line !== '') takeField(line)
        else {
          if (data.length > 0) events.push({ event: event || 'message', data: data.join('\n'), id })
          event = ''
          data = []
        }
      return events
    },
  }
}
