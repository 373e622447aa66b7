import { absolute, to } from '../../address.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { vehicles as texts } from '../../texts/en/vehicles.ts'
import { text } from '../../texts/text.ts'
import { grouped } from '../../words/numbers.ts'
import { formatName } from '../catalogue/dataset-facts.tsx'
import { changed, type Question, queryOf } from './question.ts'

const FORMATS = ['csv', 'ndjson', 'parquet']

/** The most vehicles of one answer in JSON. The other formats are streams of all that match. */
const MOST_IN_JSON = 1000

interface ApiAddressProps {
  readonly asked: Question
  readonly total: number
}

/** The request behind the page, and links to all matching vehicles as a file. */
export function ApiAddress({ asked, total }: ApiAddressProps) {
  const address = absolute(`/v1/vehicles${queryOf(asked)}`)
  const whole = queryOf(changed(asked, { limit: null }))
  const inJson = queryOf(changed(asked, { limit: String(MOST_IN_JSON) }))
  return (
    <section class="api-address">
      <h2>{texts.download}</h2>
      <p>
        {texts.asFile}{' '}
        {FORMATS.map(suffix => (
          <span key={suffix}>
            <a href={to(`/v1/vehicles.${suffix}${whole}`)} download>
              {formatName(suffix)}
            </a>{' '}
            ·{' '}
          </span>
        ))}
        <a href={to(`/v1/vehicles.json${inJson}`)} download>
          {text(texts.json, { first: total > MOST_IN_JSON ? grouped(MOST_IN_JSON) : 'all' })}
        </a>
      </p>
      <p>{texts.inApi}</p>
      <pre>
        <code>{address}</code>
      </pre>
      <CopyButton text={address} what={texts.address} />
    </section>
  )
}
