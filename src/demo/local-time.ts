/** What the clocks of a time zone show, in the English words of the feed. */
export interface LocalTime {
  readonly weekday: string
  readonly day: number
  readonly month: string
  readonly hour: number
  readonly minute: number
  readonly second: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** What the clocks of the zone show at the instant. */
export function localTime(at: Date, timeZone: string): LocalTime {
  const parts = new Map(
    format(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type))
  return {
    weekday: parts.get('weekday') ?? '',
    day: number('day'),
    month: parts.get('month') ?? '',
    hour: number('hour'),
    minute: number('minute'),
    second: number('second'),
  }
}

function format(timeZone: string): Intl.DateTimeFormat {
  let made = formats.get(timeZone)
  if (made === undefined) {
    made = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formats.set(timeZone, made)
  }
  return made
}
