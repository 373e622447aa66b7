import { absolute, to } from '../../address.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { grouped } from '../../words/numbers.ts'
import { changed, type Question, queryOf } from './question.ts'

const FORMATS = [
  ['csv', 'CSV'],
  ['ndjson', 'NDJSON'],
  ['parquet', 'Parquet'],
] as const

/** As many vehicles as one answer in JSON has here; the other formats are streamed, however many match. */
const MOST_IN_JSON = 1000

interface ApiAddressProps {
  readonly asked: Question
  readonly total: number
}

/** The request that gave what is on the screen, and all that matches as a file. */
export function ApiAddress({ asked, total }: ApiAddressProps) {
  const address = absolute(`/v1/vehicles${queryOf(asked)}`)
  const whole = queryOf(changed(asked, { limit: null }))
  const inJson = queryOf(changed(asked, { limit: String(MOST_IN_JSON) }))
  return (
    <section class="api-address">
      <h2>Download, or use the API</h2>
      <p>
        All vehicles that match, as a file:{' '}
        {FORMATS.map(([suffix, name]) => (
          <span key={suffix}>
            <a href={to(`/v1/vehicles.${suffix}${whole}`)} download>
              {name}
            </a>{' '}
            ·{' '}
          </span>
        ))}
        <a href={to(`/v1/vehicles.json${inJson}`)} download>
          JSON{total > MOST_IN_JSON ? `, the first ${grouped(MOST_IN_JSON)}` : ''}
        </a>
      </p>
      <p>This page in the API:</p>
      <pre>
        <code>{address}</code>
      </pre>
      <CopyButton text={address} what="the address of this page in the API" />
    </section>
  )
}
