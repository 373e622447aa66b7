import { to } from '../../address.ts'
import { Card } from '../../parts/card.tsx'
import { front as texts } from '../../texts/en/front.ts'
import { places as shared } from '../../texts/en/places.ts'
import { text } from '../../texts/text.ts'
import type { Catalogue } from './catalogue.ts'

const { toilets, recycling, defibrillators, carparks } = shared.kinds

const PLACES = Object.entries({ toilets, recycling, defibrillators, carparks })

interface TasksProps {
  readonly records: Catalogue['records']
}

/** The tasks of islanders besides parking. */
export function Tasks({ records }: TasksProps) {
  const places = PLACES.filter(([dataset]) => records[dataset] !== undefined)
    .map(([dataset, { counted }]) => text(counted, { count: records[dataset] ?? 0 }))
    .join(', ')
  return (
    <>
      <Card path="/map" title={texts.places}>
        <p>{text(texts.placesDetail, { places: places || texts.placesWithoutCounts })}</p>
        <p class="ways">
          <a href={to('/map?dataset=toilets')}>{toilets.many}</a>{' '}
          <a href={to('/map?dataset=recycling')}>{recycling.many}</a>{' '}
          <a href={to('/map?dataset=defibrillators')}>{defibrillators.many}</a>
        </p>
      </Card>
      <Card path="/recalls" title={texts.recalls}>
        <Search path="/recalls" name="q" label={texts.recallsLabel} submit={texts.check} />
        {records['product-recalls'] !== undefined && (
          <p class="facts">{text(texts.countedRecalls, { count: records['product-recalls'] })}</p>
        )}
      </Card>
      <Card path="/vehicles" title={texts.vehicles}>
        <Search path="/vehicles" name="make" label={texts.vehiclesLabel} submit={texts.search} />
        {records.vehicles !== undefined && (
          <p class="facts">{text(texts.countedVehicles, { count: records.vehicles })}</p>
        )}
      </Card>
    </>
  )
}

interface SearchProps {
  readonly path: string
  readonly name: string
  readonly label: string
  readonly submit: string
}

/** A search whose page has the answer. */
function Search({ path, name, label, submit }: SearchProps) {
  return (
    <form class="search no-print" action={to(path)} method="get">
      <label for={`search-${name}`}>{label}</label>
      <div class="choice">
        <input id={`search-${name}`} name={name} type="search" autocomplete="off" required />
        <button type="submit">{submit}</button>
      </div>
    </form>
  )
}
