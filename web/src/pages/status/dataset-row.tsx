import { to } from '../../address.ts'
import { counted } from '../../words/numbers.ts'
import { ageInWords, dayInWords, timeInWords } from '../../words/relative-time.ts'
import { rhythmOf } from './frequency.ts'
import type { DatasetStatus } from './load-status.ts'

interface DatasetRowProps {
  readonly dataset: DatasetStatus
  readonly now: number
}

/** How fresh a dataset is, in words. */
export function DatasetRow({ dataset, now }: DatasetRowProps) {
  const { name, title, available, records, release, updatedAt, checkedAt, updateFrequency } = dataset
  const updated = updatedAt === null ? undefined : Date.parse(updatedAt)
  const rhythm = updated === undefined ? undefined : rhythmOf(updateFrequency, updated)
  return (
    <li class="card">
      <h3>
        <a href={to(`/data/${name}`)}>{title}</a>
      </h3>
      {!available && <p class="status-bad">Not available at the moment.</p>}
      {updated === undefined ? (
        <p>Nothing is published yet.</p>
      ) : (
        <p>
          Updated {timeInWords(updated, now)}{' '}
          <span class="muted">({ageInWords((now - updated) / 1000)})</span>
        </p>
      )}
      {checkedAt !== null && <p>Source checked {timeInWords(checkedAt, now)}</p>}
      {rhythm !== undefined && (
        <p class={rhythm.nextBy < now ? 'status-bad' : undefined}>
          Updated {rhythm.words};{' '}
          {rhythm.nextBy < now
            ? `the next one was expected by ${dayInWords(rhythm.nextBy, now)}`
            : `next expected by ${dayInWords(rhythm.nextBy, now)}`}
        </p>
      )}
      {records !== null && (
        <p class="facts">
          {counted(records, 'record')}, release {release}
        </p>
      )}
    </li>
  )
}
