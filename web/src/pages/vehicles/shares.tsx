import { vehicles as texts } from '../../texts/en/vehicles.ts'
import { text } from '../../texts/text.ts'
import { grouped, percent } from '../../words/numbers.ts'
import type { Bar, Share, ShareField } from './load-shares.ts'
import { askedFor, changed, linkToCounts, type Question } from './question.ts'
import { fuelInWords } from './words.ts'

/** The matching vehicles shared out by some fields. Each bar links to the vehicles that it counts. */
export function Shares({ shares, asked }: { readonly shares: readonly Share[]; readonly asked: Question }) {
  return (
    <div class="shares">
      {shares.map(share => (
        <Bars key={share.field} share={share} asked={asked} />
      ))}
    </div>
  )
}

interface BarsProps {
  readonly share: Share
  readonly asked: Question
}

function Bars({ share: { field, bars, total, isPart, rest }, asked }: BarsProps) {
  if (bars.length === 0) return null
  const highest = Math.max(...bars.map(({ count }) => count))
  return (
    <section>
      <h3>{texts.charts[field]}</h3>
      <p class="facts">{text(texts.shareOf, { count: total })}</p>
      <ul class="bars">
        {bars.map(bar => (
          <li key={bar.label}>
            <BarLink {...{ field, bar, asked, isPart, total }} length={bar.count / highest} />
          </li>
        ))}
      </ul>
      {rest.groups > 0 && (
        <p class="facts">
          {text(texts.others[field], { groups: rest.groups, count: grouped(rest.count) })} ·{' '}
          {percent(rest.count / total)}
        </p>
      )}
    </section>
  )
}

interface BarLinkProps {
  readonly field: ShareField
  readonly bar: Bar
  readonly asked: Question
  readonly isPart: boolean
  readonly total: number
  /** The length as a part of the longest bar, from 0 to 1. */
  readonly length: number
}

function BarLink({ field, bar: { label, count, changes }, asked, isPart, total, length }: BarLinkProps) {
  const shown = (
    <>
      <span class="bar-label">{field === 'fuelType' ? fuelInWords(label) : label || texts.notStated}</span>{' '}
      <span class="bar-count">{grouped(count)}</span> <span class="bar-share">{percent(count / total)}</span>
      <svg class="bar-drawn" aria-hidden="true" focusable="false">
        <rect width={`${Math.max(100 * length, 0.5).toFixed(1)}%`} height="100%" />
      </svg>
    </>
  )
  if (changes === undefined) return <span class="bar-link">{shown}</span>
  const { match: _, ...values } = changes
  const isChosen =
    !isPart && Object.entries(values).every(([name, value]) => equal(askedFor(asked, name), value))
  const target = changed(asked, isChosen ? nothingOf(values) : changes)
  return (
    <a class="bar-link" href={linkToCounts(target)} aria-current={isChosen ? 'true' : undefined}>
      {shown}
      {isChosen && <span class="visually-hidden">{texts.chosen}</span>}
    </a>
  )
}

/** Compares texts as the API does, except for accents. */
const equal = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const nothingOf = (changes: Readonly<Record<string, string>>): Record<string, null> =>
  Object.fromEntries(Object.keys(changes).map(name => [name, null]))
