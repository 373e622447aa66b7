import type { Located } from './kinds.ts'

/** A link that opens directions to a position: in an app for maps on phones, on the web elsewhere. */
export const directionsTo = ({ latitude, longitude }: Located): string =>
  `https://www.google.com/maps/dir/?api=1&destination=${latitude},${longitude}`
