import { NotAllowed, text, type ValueType } from '../../values/values.ts'
import type { Field } from '../fields.ts'
import { wordsOf } from '../words.ts'
import type { FieldParameters } from './parameter-values.ts'

const MAX_LENGTH = 100
const MAX_WORDS = 10

/** The parameter `q`: words to find, each in any of the fields. */
export const searchParameter = (fields: readonly Field[], noun: string): FieldParameters => ({
  parameters: {
    q: {
      type: words(),
      description: `Only ${noun} with each of these words, in any order, in the ${fields.map(({ label }) => label).join(' or the ')}. A word may be a part of a longer one; case, accents and punctuation do not matter. At most ${MAX_WORDS} words.`,
    },
  },
  filters: ({ q }) => (q === undefined ? [] : [{ words: String(q), fields: fields.map(({ name }) => name) }]),
})

/** At least one word. The value is the folded words, joined by blanks. */
function words(): ValueType<string> {
  const type = text({ maxLength: MAX_LENGTH })
  const allowed = `1 to ${MAX_WORDS} words of letters and digits, ${MAX_LENGTH} characters at most`
  return {
    ...type,
    allowed,
    parse(value) {
      const found = wordsOf(type.parse(value))
      if (found.length === 0) throw new NotAllowed('has no word of letters or digits')
      if (found.length > MAX_WORDS)
        throw new NotAllowed(`has ${found.length} words; ${MAX_WORDS} are allowed`)
      return found.join(' ')
    },
  }
}
