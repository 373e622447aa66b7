import { integer, NotAllowed, oneOf, type Parameter } from '../../values/values.ts'
import { distinct } from './field-parameters.ts'

/** With more keys, each group would have only one record. */
const MAX_KEYS = 3
const MAX_GROUPS = 1_000_000

/** The parameter `by`: names of the keys to count by; by default the first key. */
export function countByParameter(names: readonly string[]): Parameter<readonly string[]> {
  const most = Math.min(MAX_KEYS, names.length)
  const type = distinct(oneOf(names), name => name)
  return {
    type: {
      ...type,
      allowed: most > 1 ? `up to ${most} of ${names.join(', ')}, comma-separated` : type.allowed,
      schema: { ...type.schema, maxItems: most },
      parse(text) {
        const by = type.parse(text)
        if (by.length > most) throw new NotAllowed(`names ${by.length}; at most ${most} are allowed`)
        return by
      },
    },
    default: names.slice(0, 1),
    description: `What to count by, comma-separated: up to ${most} of ${names.join(', ')}.`,
  }
}

/** The parameter `top`: the number of groups to list; without a default, all are listed. */
export const topParameter = (fallback: number | undefined): Parameter<number> => ({
  type: integer({ minimum: 1, maximum: MAX_GROUPS }),
  default: fallback,
  description: 'At most so many groups, those with the highest counts; `rest` sums the others up.',
})
