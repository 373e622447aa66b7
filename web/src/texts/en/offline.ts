/** The page that a device shows without a network. */
export const offline = {
  title: 'You are offline: saved places',
  description: 'The toilets and defibrillators that this device saves for offline use.',
  lead: 'You may be offline, or the service may be down. You can still see the places saved on this device.',
  retry: 'Try again',
  reading: 'Getting the saved places… This page needs JavaScript.',
  nothing:
    'No places are saved on this device yet. Open any page while you are online, and this device saves the toilets and defibrillators.',
  saved:
    'Toilets and defibrillators saved on <strong>{date} at {time}</strong>. Some may have moved or closed since then. Free parking spaces are never saved.',
  synthetic: 'All of these places are invented.',
  total: '{total}, nearest first.',
  both: 'Both',
} as const

/** The line above a saved page. */
export const notice = {
  label: 'Offline',
  title: 'We cannot reach the service.',
  saved: 'This page was saved on {date} at {time}.',
} as const
