import { language } from '../texts/en/language.ts'
import { words } from '../texts/en/words.ts'
import { text } from '../texts/text.ts'

const WHOLE = new Intl.NumberFormat(language.locale)
const ONE_DECIMAL = new Intl.NumberFormat(language.locale, { maximumFractionDigits: 1 })
const TENTHS = new Intl.NumberFormat(language.locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

const PERCENT = new Intl.NumberFormat(language.locale, {
  ...{ style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 },
})

/** A number as people write it: `1,234`. */
export const grouped = (value: number): string => WHOLE.format(value)

/** A share of a whole as people write it: `12.3%`. A share that would read as nothing is `<0.1%`. */
export const percent = (share: number): string =>
  share > 0 && share < 0.0005 ? `<${PERCENT.format(0.001)}` : PERCENT.format(share)

/** A distance as people say it: `350 m`, `1.2 km`. */
export const distanceText = (metres: number): string =>
  metres < 995
    ? text(words.metres, { distance: Math.max(10, Math.round(metres / 10) * 10) })
    : text(words.kilometres, { distance: TENTHS.format(metres / 1000) })

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

/** Zero and at most five round numbers up to the highest. */
export function ticksOf(highest: number): number[] {
  const power = 10 ** Math.floor(Math.log10(highest / 4))
  const step = Math.max(1, ([1, 2, 5, 10].find(digit => highest / (digit * power) <= 5) ?? 10) * power)
  return Array.from({ length: Math.floor(highest / step) + 1 }, (_, index) => index * step)
}
