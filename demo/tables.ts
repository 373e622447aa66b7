import { type Weighted, weights } from './random.ts'

/* The notation of the island's tables: a text of parts, with line breaks anywhere between them. */

/** The parts of a text, trimmed, without blank parts. */
export function list(text: string, separator = ','): string[] {
  return text
    .split(separator)
    .map(part => part.replace(/\s+/g, ' ').trim())
    .filter(part => part !== '')
}

/** Reads `name: number, name: number`. */
export const numbers = (text: string): (readonly [name: string, number: number])[] =>
  list(text).map(pair => {
    const [name = '', number] = pair.split(':')
    return [name, Number(number)] as const
  })

/** Reads names with their weights, such as `Blue: 24, Red: 21`. */
export const weighted = (text: string): Weighted<string> => weights(numbers(text))

/** Points in order of x, with linear interpolation. Beyond the ends, the value of the nearest point applies. */
export type Curve = readonly (readonly [x: number, value: number])[]

/** Reads the points of a curve, such as `1920: 50, 1960: 62`. */
export const curve = (text: string): Curve => numbers(text).map(([x, value]) => [Number(x), value])

/** The value of a curve at a place. */
export function valueAt(points: Curve, x: number): number {
  const next = points.findIndex(([at]) => at >= x)
  const [to, from] = [points.at(next), points[next - 1]]
  if (to === undefined) return 0
  if (from === undefined || to[0] === x) return to[1]
  return from[1] + ((to[1] - from[1]) * (x - from[0])) / (to[0] - from[0])
}
