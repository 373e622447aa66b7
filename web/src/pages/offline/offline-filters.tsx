import { Options } from '../../parts/field.tsx'
import { LISTS } from '../../places/kept-places.ts'
import type { Located } from '../../places/kinds.ts'
import { kindOf } from '../../places/kinds.ts'
import { LocateButton } from '../../places/locate-button.tsx'
import { parishKey } from '../../places/parishes.ts'
import { offline } from '../../texts/en/offline.ts'
import { places } from '../../texts/en/places.ts'

/** The chosen kept places; empty values choose all. */
export interface Wanted {
  readonly dataset: string
  /** The key of a parish. */
  readonly parish: string
}

interface OfflineFiltersProps {
  readonly wanted: Wanted
  readonly parishes: readonly { readonly name: string }[]
  readonly onWant: (wanted: Wanted) => void
  readonly onLocate: (here: Located) => void
}

/** Chooses among the kept places without a request. */
export function OfflineFilters({ wanted, parishes, onWant, onLocate }: OfflineFiltersProps) {
  const { dataset, parish } = wanted
  return (
    <div class="fields offline-filters">
      <div class="field">
        <label for="kind">{places.whatToShow}</label>
        <select
          id="kind"
          value={dataset}
          onChange={event => onWant({ parish, dataset: event.currentTarget.value })}
        >
          <option value="">{offline.both}</option>
          <Options
            of={LISTS.map(list => [list.dataset, kindOf(list.dataset)?.many ?? ''])}
            chosen={dataset}
          />
        </select>
      </div>
      <div class="field">
        <label for="parish">{places.parish}</label>
        <select
          id="parish"
          value={parish}
          onChange={event => onWant({ dataset, parish: event.currentTarget.value })}
        >
          <option value="">{places.wholeIsland}</option>
          <Options of={parishes.map(({ name }) => [parishKey(name), name])} chosen={parish} />
        </select>
      </div>
      <LocateButton onLocate={onLocate} instead="parish" />
    </div>
  )
}
