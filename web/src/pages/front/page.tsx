import { declarePage, type ViewProps } from '../../page.ts'

const TASKS = [
  {
    path: '/parking',
    title: 'Find a parking space',
    text: 'Free spaces now in each car park, and what to expect in an hour.',
  },
  {
    path: '/map',
    title: 'Find a place near you',
    text: 'Toilets, recycling, defibrillators and car parks on one map.',
  },
  { path: '/recalls', title: 'Check a product', text: 'Is this toaster, toy or food recalled?' },
  {
    path: '/vehicles',
    title: 'Look into the vehicle register',
    text: 'Which vehicles are registered, by make, colour, fuel and year.',
  },
  {
    path: '/data',
    title: 'Download the data',
    text: 'Every dataset in the format that your tools open, without a key.',
  },
  {
    path: '/docs',
    title: 'Build with the API',
    text: 'A first answer in a minute, the reference, and a typed client.',
  },
]

/** The start page: what people come for. */
export const front = declarePage({
  path: '/',
  maxAge: 60,
  load: async () => null,
  title: () => 'Public data',
  description: () =>
    'Parking, toilets, recycling, defibrillators, product recalls and registered vehicles of the island.',
  View,
  feeds: site => site.feeds,
})

function View({ site }: ViewProps<null>) {
  return (
    <>
      <h1>{site.title}</h1>
      <ul class="cards">
        {TASKS.map(({ path, title, text }) => (
          <li key={path} class="card">
            <h2>
              <a href={path}>{title}</a>
            </h2>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </>
  )
}
