/** The words for numbers, times and ages. */
export const words = {
  date: '{day} {month} {year}',
  month: '{month} {year}',
  day: '{weekday} {day} {month}',
  dayOfYear: '{day} {year}',
  dayAndTime: '{day} at {time}',
  justNow: 'just now',
  metres: '{distance} m',
  kilometres: '{distance} km',
  away: '{distance} away',
  way: '{distance} to the {direction}',
  compass: ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'],
  bytes: '{size} {power, select, 0 {bytes} 1 {kB} 2 {MB} other {GB}}',
} as const
