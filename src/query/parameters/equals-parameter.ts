import type { ValueType } from '../../values/value-type.ts'
import { flag, number, oneOf, text } from '../../values/values.ts'
import type { Field } from '../fields.ts'
import type { FieldParametersOptions, QueryParameter } from './query-parameter.ts'

const FREE_TEXT = text({ maxLength: 100 })

/** The parameter for the values that a field may equal: those of its enumeration, or any of its kind. */
export function equalsParameter(field: Field, { noun, heldValues }: FieldParametersOptions): QueryParameter {
  const { kind, label, name, values, isOpen } = field
  if (kind === 'number') return { type: number(field), description: `Only ${noun} with this ${label}.` }
  if (kind === 'flag') return { type: flag(), description: `Only ${noun} whose ${label} is this.` }
  const description =
    kind === 'list'
      ? `Only ${noun} whose ${label} include this; case does not matter.`
      : `Only ${noun} with this ${label}; case does not matter.`
  if (values === undefined) return { type: FREE_TEXT, description }
  const type = isOpen ? openEnumeration(values, () => heldValues(name)) : oneOf(values, { ignoreCase: true })
  return { type, description }
}

/** Accepts the known values of an enumeration and those held at present, in any case; returns their own spelling. */
function openEnumeration(known: readonly string[], held: () => readonly string[]): ValueType<string> {
  let type = oneOf(known, { ignoreCase: true })
  let holding: readonly string[] = []
  function current() {
    const values = held()
    if (values !== holding) {
      type = oneOf([...new Set([...known, ...values])], { ignoreCase: true })
      holding = values
    }
    return type
  }
  return {
    ...FREE_TEXT,
    get allowed() {
      return current().allowed
    },
    parse: value => current().parse(FREE_TEXT.parse(value)),
  }
}
