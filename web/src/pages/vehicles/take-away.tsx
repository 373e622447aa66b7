import { to } from '../../address.ts'
import { EmbedCode } from '../../parts/embed-code.tsx'
import { vehicles as texts } from '../../texts/en/vehicles.ts'
import { rich } from '../../texts/rich.tsx'
import { statsOf, type YearChart } from './chart-data.ts'
import { changed, pageQuery } from './question.ts'

/** The chart to take away: its numbers, a picture, and HTML for another website. */
export function TakeAway({ chart: { asked, by, series, title } }: { readonly chart: YearChart }) {
  const query = pageQuery(changed(asked, { sort: null, limit: null }))
  return (
    <>
      <p class="no-print">
        {rich(texts.takeAway, {
          csv: csv =>
            series.map(({ question, words }, index) => (
              <>
                {index > 0 && ', '}
                <a href={to(`${statsOf(question, by)}&format=csv`)} download>
                  {csv}
                  {series.length > 1 && ` (${words})`}
                </a>
              </>
            )),
          svg: svg => (
            <a href={to(`/vehicles/chart.svg${query}`)} download>
              {svg}
            </a>
          ),
        })}
      </p>
      <EmbedCode path={`/embed/vehicles${query}`} title={title} height={480} />
    </>
  )
}
