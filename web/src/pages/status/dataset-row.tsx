import { to } from '../../address.ts'
import { status as texts } from '../../texts/en/status.ts'
import { muted, rich, text } from '../../texts/rich.tsx'
import { ageInWords, dayInWords, timeInWords } from '../../words/relative-time.ts'
import type { DatasetStatus } from './load-status.ts'
import { rhythmOf } from './verdict.ts'

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
      {!available && <p class="status-bad">{texts.notAvailable}</p>}
      {updated === undefined ? (
        <p>{texts.nothingPublished}</p>
      ) : (
        <p>
          {rich(texts.updated, {
            ...{ time: timeInWords(updated, now), age: ageInWords((now - updated) / 1000) },
            muted,
          })}
        </p>
      )}
      {checkedAt !== null && <p>{text(texts.sourceChecked, { time: timeInWords(checkedAt, now) })}</p>}
      {rhythm !== undefined && (
        <p class={rhythm.nextBy < now ? 'status-warning' : undefined}>
          {text(rhythm.nextBy < now ? texts.lateUpdate : texts.nextUpdate, {
            ...{ rhythm: rhythm.words, day: dayInWords(rhythm.nextBy, now) },
          })}
        </p>
      )}
      {records !== null && (
        <p class="facts">{text(texts.records, { count: records, release: String(release) })}</p>
      )}
    </li>
  )
}
