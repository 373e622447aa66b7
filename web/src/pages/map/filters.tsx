import { useRef } from 'preact/hooks'
import { to } from '../../address.ts'
import type { Choice } from '../../places/enumerations.ts'
import { KINDS } from '../../places/kinds.ts'
import { LocateButton, nearText } from '../../places/locate-button.tsx'
import { parishKey } from '../../places/parishes.ts'
import { PlaceIcon } from '../../places/place-icons.tsx'
import { map as texts } from '../../texts/en/map.ts'
import { places as shared } from '../../texts/en/places.ts'
import { isFiltered, mapAddress, readAsked } from './asked.ts'
import type { MapData, Mistake } from './load.ts'

/** The filters of the map: a form that works without a script. */
export function Filters({ data }: { readonly data: MapData }) {
  const { asked, parishes, facilities, services, mistakes } = data
  const form = useRef<HTMLFormElement>(null)
  /** The boxes that are ticked now, even if the form has not been sent. */
  const ticked = () => {
    const fields = [...new FormData(form.current ?? undefined)].map(([name, value]) => [name, String(value)])
    return readAsked(new URLSearchParams(fields))
  }
  return (
    <form ref={form} class="map-filters" action={to('/map')} method="get">
      {asked.near !== '' && <input type="hidden" name="near" value={asked.near} />}
      <fieldset class="map-kinds">
        <legend>{shared.whatToShow}</legend>
        {KINDS.map(({ dataset, many }) => (
          <label key={dataset} class="map-kind">
            <input type="checkbox" name="dataset" value={dataset} checked={asked.dataset.includes(dataset)} />
            <PlaceIcon dataset={dataset} />
            {many}
          </label>
        ))}
        <MistakesOf parameter="dataset" mistakes={mistakes} />
      </fieldset>
      <div class="fields">
        <div class="field">
          <label for="parish">{shared.parish}</label>
          <select id="parish" name="parish">
            <option value="">{shared.wholeIsland}</option>
            {parishes.map(name => (
              <option key={name} value={name} selected={parishKey(name) === parishKey(asked.parish)}>
                {name}
              </option>
            ))}
          </select>
          <MistakesOf parameter="parish" mistakes={mistakes} />
        </div>
        <button type="submit">{texts.show}</button>
        <LocateButton
          onLocate={here => location.assign(mapAddress(ticked(), { near: nearText(here) }))}
          instead="parish"
        />
        {(isFiltered(asked) || asked.near !== '') && (
          <a class="map-clear" href={mapAddress(asked, EVERYTHING)}>
            {texts.showAll}
          </a>
        )}
      </div>
      <details open={asked.facility.length + asked.service.length > 0}>
        <summary>{texts.moreFilters}</summary>
        <Choices
          name="facility"
          legend={texts.facilities}
          choices={facilities}
          chosen={asked.facility}
          mistakes={mistakes}
        />
        <Choices
          name="service"
          legend={texts.services}
          choices={services}
          chosen={asked.service}
          mistakes={mistakes}
        />
      </details>
      <MistakesOf parameter="near" mistakes={mistakes} />
    </form>
  )
}

const EVERYTHING = { dataset: [], parish: '', facility: [], service: [], near: '', place: '' }

interface ChoicesProps {
  readonly name: string
  readonly legend: string
  readonly choices: readonly Choice[]
  readonly chosen: readonly string[]
  readonly mistakes: readonly Mistake[]
}

function Choices({ name, legend, choices, chosen, mistakes }: ChoicesProps) {
  return (
    <fieldset class="map-choices">
      <legend>{legend}</legend>
      {choices.map(({ value, label }) => (
        <label key={value}>
          <input type="checkbox" name={name} value={value} checked={chosen.includes(value)} />
          {label}
        </label>
      ))}
      <MistakesOf parameter={name} mistakes={mistakes} />
    </fieldset>
  )
}

interface MistakesOfProps {
  readonly parameter: string
  readonly mistakes: readonly Mistake[]
}

/** The faults of a parameter. */
export function MistakesOf({ parameter, mistakes }: MistakesOfProps) {
  return mistakes
    .filter(mistake => mistake.parameter === parameter)
    .map(({ text }) => (
      <p key={text} class="mistake">
        {text}
      </p>
    ))
}
