import { declarePage } from '../../page.ts'
import { type YearChart as Chart, loadYearChart } from '../vehicles/chart-data.ts'
import { YearChart } from '../vehicles/year-chart.tsx'

/** The chart of a search for vehicles, for a frame of another site. */
export const embeddedVehicles = declarePage<Chart>({
  path: '/embed/vehicles',
  maxAge: 300,
  script: 'embed-vehicles',
  load: ({ get, query }) => loadYearChart(get, query),
  title: ({ title }) => title,
  description: ({ title }) => title,
  View: ({ data }) => (
    <>
      <YearChart chart={data} Heading="h1" />
      <p class="facts">{data.source}</p>
    </>
  ),
})
