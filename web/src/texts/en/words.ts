/** The words for numbers, times and ages. */
export const words = {
  date: '{day} {month} {year}',
  month: '{month} {year}',
  day: '{weekday} {day} {month}',
  dayOfYear: '{day} {year}',
  dayAndTime: '{day} at {time}',
  yesterday: 'yesterday',
  today: 'today',
  tomorrow: 'tomorrow',
  justNow: 'just now',
  ages: {
    day: '{count, plural, one {# day ago} other {# days ago}}',
    hour: '{count, plural, one {# hour ago} other {# hours ago}}',
    minute: '{count, plural, one {# minute ago} other {# minutes ago}}',
  },
  metres: '{distance} m',
  kilometres: '{distance} km',
  away: '{distance} away',
  way: '{distance} to the {direction}',
  compass: ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'],
  bytes: '{size} {power, select, 0 {bytes} 1 {kB} 2 {MB} other {GB}}',
} as const
