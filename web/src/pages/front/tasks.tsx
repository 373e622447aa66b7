import type { ComponentChildren } from 'preact'
import type { Catalogue } from './catalogue.ts'

const THOUSANDS = new Intl.NumberFormat('en-GB')

const PLACES = [
  { name: 'toilets', text: 'toilets' },
  { name: 'recycling', text: 'recycling centres' },
  { name: 'defibrillators', text: 'defibrillators' },
  { name: 'carparks', text: 'car parks' },
]

interface TasksProps {
  readonly records: Catalogue['records']
}

/** The tasks of islanders besides parking. */
export function Tasks({ records }: TasksProps) {
  const places = PLACES.filter(({ name }) => records[name] !== undefined).map(
    ({ name, text }) => `${THOUSANDS.format(records[name] ?? 0)} ${text}`,
  )
  return (
    <>
      <Task path="/map" title="Find a place near you">
        <p>{places.length === 0 ? 'Toilets, recycling and defibrillators' : places.join(', ')} on one map.</p>
        <p class="ways">
          <a href="/map?dataset=toilets">Toilets</a> <a href="/map?dataset=recycling">Recycling</a>{' '}
          <a href="/map?dataset=defibrillators">Defibrillators</a>
        </p>
      </Task>
      <Task path="/recalls" title="Check a product">
        <form class="search" action="/recalls" method="get">
          <label for="product">Is this toaster, toy or food recalled?</label>
          <div class="choice">
            <input id="product" name="q" type="search" autocomplete="off" required />
            <button type="submit">Check</button>
          </div>
        </form>
        {records['product-recalls'] !== undefined && (
          <p class="facts">{THOUSANDS.format(records['product-recalls'])} recalls</p>
        )}
      </Task>
      <Task path="/vehicles" title="Look into the vehicle register">
        <p>
          {records.vehicles === undefined ? 'Vehicles' : `${THOUSANDS.format(records.vehicles)} vehicles`} by
          make, colour, fuel and year.
        </p>
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

interface TaskProps {
  readonly path: string
  readonly title: string
  readonly children: ComponentChildren
}

function Task({ path, title, children }: TaskProps) {
  return (
    <li class="card">
      <h2>
        <a href={path}>{title}</a>
      </h2>
      {children}
    </li>
  )
}
