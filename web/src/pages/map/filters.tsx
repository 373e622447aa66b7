import { useRef } from 'preact/hooks'
import { to } from '../../address.ts'
import { useIsScripted } from '../../browser/use-is-scripted.ts'
import type { Choice } from '../../places/enumerations.ts'
import { KINDS } from '../../places/kinds.ts'
import { LocateButton, nearText } from '../../places/locate-button.tsx'
import { ParishField } from '../../places/parish-field.tsx'
import { PlaceIcon } from '../../places/place-icons.tsx'
import { map as texts } from '../../texts/en/map.ts'
import { places as shared } from '../../texts/en/places.ts'
import { text } from '../../texts/text.ts'
import { type Asked, mapAddress, readAsked } from './asked.ts'
import type { MapData, Mistake } from './load.ts'

interface FiltersProps {
  readonly data: MapData
  /** Shows the places of other filters at once. */
  readonly onAsk: (asked: Asked) => void
}

/** The filters of the map: they apply at once, and without a script by a form. */
export function Filters({ data, onAsk }: FiltersProps) {
  const { asked, parishes, facilities, services, mistakes } = data
  const form = useRef<HTMLFormElement>(null)
  const isScripted = useIsScripted()
  const chosen = () => {
    const fields = [...new FormData(form.current ?? undefined)].map(([name, value]) => [name, String(value)])
    return readAsked(new URLSearchParams(fields))
  }
  return (
    <form
      ref={form}
      class="map-filters no-print"
      action={to('/map')}
      method="get"
      onChange={() => onAsk(chosen())}
    >
      {asked.near !== '' && <input type="hidden" name="near" value={asked.near} />}
      <Choices
        {...{ name: 'dataset', legend: shared.whatToShow, chosen: asked.dataset, mistakes }}
        choices={KINDS.map(({ dataset, many }) => ({ value: dataset, label: many }))}
      />
      <div class="fields">
        <ParishField value={asked.parish} parishes={parishes} hiddenLabel={shared.parish} />
        <LocateButton
          onLocate={here => onAsk({ ...chosen(), near: nearText(here) })}
          instead="parish"
          isPressed={asked.near !== ''}
        />
        <MistakesOf parameter="parish" mistakes={mistakes} />
      </div>
      <details open={mistakes.some(({ parameter }) => ['facility', 'service'].includes(parameter))}>
        <summary>{texts.moreFilters}</summary>
        <Choices
          {...{ name: 'facility', legend: texts.facilities, chosen: asked.facility, mistakes }}
          choices={facilities}
        />
        <Choices
          {...{ name: 'service', legend: texts.services, chosen: asked.service, mistakes }}
          choices={services}
        />
      </details>
      <MistakesOf parameter="near" mistakes={mistakes} />
      {!isScripted && <button type="submit">{texts.show}</button>}
      <Applied data={data} onAsk={onAsk} />
    </form>
  )
}

/** The filters in use except for the kinds, which stand above; each link removes one. */
function Applied({ data: { asked, facilities, services }, onAsk }: FiltersProps) {
  const listed = (name: 'facility' | 'service', choices: readonly Choice[]) =>
    asked[name].map(value => ({
      label: choices.find(each => each.value === value)?.label ?? value,
      change: { [name]: asked[name].filter(each => each !== value) },
    }))
  const applied: readonly { readonly label: string; readonly change: Partial<Asked> }[] = [
    ...(asked.near === '' ? [] : [{ label: texts.nearest, change: { near: '' } }]),
    ...(asked.parish === '' ? [] : [{ label: asked.parish, change: { parish: '' } }]),
    ...listed('facility', facilities),
    ...listed('service', services),
  ]
  if (applied.length === 0) return null
  return (
    <ul class="map-applied" aria-label={texts.applied}>
      {applied.map(({ label, change }) => (
        <li key={label}>
          <a
            href={mapAddress(asked, change)}
            aria-label={text(texts.remove, { filter: label })}
            onClick={event => {
              event.preventDefault()
              onAsk({ ...asked, ...change })
            }}
          >
            {label} <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

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
      <legend class={name === 'dataset' ? 'visually-hidden' : undefined}>{legend}</legend>
      {choices.map(({ value, label }) => (
        <label key={value}>
          <input type="checkbox" name={name} value={value} checked={chosen.includes(value)} />
          {name === 'dataset' && <PlaceIcon dataset={value} />}
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
