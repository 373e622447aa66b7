import { places } from '../texts/en/places.ts'
import { parishKey } from './parishes.ts'

interface ParishFieldProps {
  readonly parishes: readonly string[]
  /** The chosen parish in any spelling; empty for the whole island. */
  readonly value: string
  /** The words for no parish. */
  readonly none?: string
  readonly onChoose?: (parish: string) => void
}

/** A choice of a parish, or of the whole island. */
export function ParishField({ parishes, value, none = places.wholeIsland, onChoose }: ParishFieldProps) {
  return (
    <div class="field">
      <label for="parish">{places.parish}</label>
      <select id="parish" name="parish" onChange={({ currentTarget: { value } }) => onChoose?.(value)}>
        <option value="">{none}</option>
        {parishes.map(name => (
          <option key={name} value={name} selected={parishKey(name) === parishKey(value)}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
