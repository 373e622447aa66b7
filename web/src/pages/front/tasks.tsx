import type { ComponentChildren } from 'preact'
import { to } from '../../address.ts'
import { counted } from '../../words/numbers.ts'
import type { Catalogue } from './catalogue.ts'

const PLACES = [
  { name: 'toilets', one: 'toilet' },
  { name: 'recycling', one: 'recycling centre' },
  { name: 'defibrillators', one: 'defibrillator' },
  { name: 'carparks', one: 'car park' },
]

interface TasksProps {
  readonly records: Catalogue['records']
}

/** The tasks of islanders besides parking. */
export function Tasks({ records }: TasksProps) {
  const places = PLACES.filter(({ name }) => records[name] !== undefined).map(({ name, one }) =>
    counted(records[name] ?? 0, one),
  )
  return (
    <>
      <Task path="/map" title="Find a place near you">
        <p>{places.length === 0 ? 'Toilets, recycling and defibrillators' : places.join(', ')} on one map.</p>
        <p class="ways">
          <a href={to('/map?dataset=toilets')}>Toilets</a>{' '}
          <a href={to('/map?dataset=recycling')}>Recycling</a>{' '}
          <a href={to('/map?dataset=defibrillators')}>Defibrillators</a>
        </p>
      </Task>
      <Task path="/recalls" title="Check a product">
        <Search path="/recalls" name="q" label="Is this toaster, toy or food recalled?" submit="Check" />
        {records['product-recalls'] !== undefined && (
          <p class="facts">{counted(records['product-recalls'], 'recall')}</p>
        )}
      </Task>
      <Task path="/vehicles" title="Search the vehicle register">
        <Search path="/vehicles" name="make" label="Make, such as Ford or Renault" submit="Search" />
        {records.vehicles !== undefined && (
          <p class="facts">{counted(records.vehicles, 'vehicle')} by make, colour, fuel and year</p>
        )}
      </Task>
    </>
  )
}

/** The tasks of those who work with the data. */
export function DeveloperTasks() {
  return (
    <>
      <Task path="/data" title="Download the data">
        <p>Every dataset in the format that your tools open, without a key.</p>
      </Task>
      <Task path="/docs" title="Build with the API">
        <p>A first answer in a minute, the reference, and a typed client.</p>
      </Task>
    </>
  )
}

interface SearchProps {
  readonly path: string
  readonly name: string
  readonly label: string
  readonly submit: string
}

/** A search that leads to the page which answers it. */
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

interface TaskProps {
  readonly path: string
  readonly title: string
  readonly children: ComponentChildren
}

function Task({ path, title, children }: TaskProps) {
  return (
    <li class="card">
      <h2>
        <a href={to(path)}>{title}</a>
      </h2>
      {children}
    </li>
  )
}
