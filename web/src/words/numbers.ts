import { words } from '../texts/en/words.ts'
import { text } from '../texts/text.ts'

const WHOLE = new Intl.NumberFormat('en-GB')
const ONE_DECIMAL = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 })

/** A number as people write it: `1,234`. */
export const grouped = (value: number): string => WHOLE.format(value)

/** A distance as people say it: `350 m`, `1.2 km`. */
export const distanceText = (metres: number): string =>
  metres < 995
    ? text(words.metres, { distance: Math.max(10, Math.round(metres / 10) * 10) })
    : text(words.kilometres, { distance: (metres / 1000).toFixed(1) })

/** A distance from the reader: `350 m away`. */
export const awayText = (metres: number): string => text(words.away, { distance: distanceText(metres) })

/** A distance and a direction from the reader: `350 m to the north-east`. */
export const wayText = (metres: number, direction: string): string =>
  text(words.way, { distance: distanceText(metres), direction })

/** The size of a file: `27.8 kB`, in powers of a thousand as browsers show downloads. */
export function sizeOf(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), 3)
  return text(words.bytes, { size: ONE_DECIMAL.format(bytes / 1000 ** power), power })
}
