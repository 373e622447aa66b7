import { places } from '../texts/en/places.ts'
import { parishKey } from './parishes.ts'

interface ParishFieldProps {
  readonly parishes: readonly string[]
  /** The chosen parish in any spelling; empty for the whole island. */
  readonly value: string
  /** The words for no parish. */
  readonly none?: string
  /** The label, where the words for no parish say it to those who see them. */
  readonly hiddenLabel?: string
  /** The id of the fault of the value. */
  readonly describedBy?: string | undefined
  readonly onChoose?: (parish: string) => void
}

/** A choice of a parish, or of the whole island. */
export function ParishField({ parishes, value, none = places.wholeIsland, ...props }: ParishFieldProps) {
  const { hiddenLabel, describedBy, onChoose } = props
  return (
    <div class="field">
      <label class={hiddenLabel && 'visually-hidden'} for="parish">
        {hiddenLabel ?? places.parish}
      </label>
      <select
        id="parish"
        name="parish"
        aria-describedby={describedBy}
        onChange={({ currentTarget: { value } }) => onChoose?.(value)}
      >
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
