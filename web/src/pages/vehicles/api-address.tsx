import { CopyButton } from '../../parts/copy-button.tsx'
import { changed, type Question, queryOf } from './question.ts'

const FORMATS = [
  ['csv', 'CSV'],
  ['json', 'JSON'],
  ['ndjson', 'NDJSON'],
  ['parquet', 'Parquet'],
] as const

/** As many vehicles as one request gets without the operator's leave for more. */
const WHOLE = '1000'

interface ApiAddressProps {
  readonly asked: Question
  readonly baseUrl: string
}

/** The request that gave what is on the screen, and all that matches as a file. */
export function ApiAddress({ asked, baseUrl }: ApiAddressProps) {
  const address = `${baseUrl}/v1/vehicles${queryOf(asked)}`
  const whole = queryOf(changed(asked, { limit: null }))
  return (
    <section class="api-address">
      <h2>Take it with you</h2>
      <p>
        All that matches as a file:{' '}
        {FORMATS.map(([suffix, name], index) => (
          <span key={suffix}>
            {index > 0 && ' · '}
            <a
              href={`/v1/vehicles.${suffix}${suffix === 'json' ? queryOf(changed(asked, { limit: WHOLE })) : whole}`}
              download
            >
              {name}
            </a>
          </span>
        ))}
      </p>
      <p>This page from the API:</p>
      <pre>
        <code>{address}</code>
      </pre>
      <CopyButton text={address} what="the address of this page in the API" />
    </section>
  )
}
