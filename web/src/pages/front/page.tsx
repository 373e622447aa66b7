import { declarePage, type LoadRequest, type ViewProps } from '../../page.ts'
import { type Counts, loadCounts } from '../../parking/load-counts.ts'
import { Card } from '../../parts/card.tsx'
import { OriginLine, UpdatedAt } from '../../parts/origin.tsx'
import { front as texts } from '../../texts/en/front.ts'
import { EmergencyLink } from '../emergency/emergency-link.tsx'
import { type Catalogue, loadCatalogue } from './catalogue.ts'
import { ParkingCard } from './parking-card.tsx'
import { Tasks } from './tasks.tsx'

interface FrontData {
  readonly counts: Counts
  readonly catalogue: Catalogue
}

/** The start page: the tasks that people come for. */
export const front = declarePage<FrontData>({
  path: '/',
  maxAge: 30,
  script: 'front',
  hydrated: true,
  load: async ({ get }: LoadRequest) => {
    const [counts, catalogue] = await Promise.all([loadCounts(get), loadCatalogue(get)])
    return { counts, catalogue }
  },
  title: () => texts.title,
  description: () => texts.description,
  View,
  feeds: site => site.feeds,
})

function View({ data: { counts, catalogue }, site }: ViewProps<FrontData>) {
  const { records, updatedAt, origins } = catalogue
  return (
    <>
      <h1>{site.title}</h1>
      <EmergencyLink />
      <ul class="cards tasks">
        {site.isCounting && <ParkingCard initial={counts} />}
        <Tasks records={records} />
      </ul>
      <h2>{texts.developers}</h2>
      <ul class="cards tasks">
        <Card path="/data" title={texts.data}>
          <p>{texts.dataDetail}</p>
        </Card>
        <Card path="/docs" title={texts.docs}>
          <p>{texts.docsDetail}</p>
        </Card>
      </ul>
      <h2>{texts.about}</h2>
      {origins.map(({ titles, origin }) => (
        <OriginLine
          key={titles[0]}
          origin={origin}
          of={origins.length === 1 ? texts.allDatasets : titles.join(', ')}
        />
      ))}
      {updatedAt !== null && (
        <p class="facts">
          <UpdatedAt at={updatedAt} />
          {site.isCounting && ` ${texts.counting}`}
        </p>
      )}
    </>
  )
}
