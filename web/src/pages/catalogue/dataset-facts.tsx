import type { components } from '../../../../client/src/schema.ts'
import { Fact } from '../../parts/fact.tsx'
import { Licence, Publisher } from '../../parts/origin.tsx'
import { data as texts } from '../../texts/en/data.ts'
import { muted, rich, text } from '../../texts/rich.tsx'
import { grouped } from '../../words/numbers.ts'
import { ageInWords, timeInWords } from '../../words/relative-time.ts'

type Dataset = components['schemas']['DatasetDescription']

/** The facts that people need before they use a dataset. */
export function DatasetFacts({ dataset }: { readonly dataset: Dataset }) {
  const { available, records, publisher, sourceUrl, licence, licenceUrl, attribution } = dataset
  const { formats, warnings, updatedAt, freshness } = dataset
  return (
    <dl class="facts-list">
      {!available && <Fact name={texts.facts.availability}>{texts.notAvailable}</Fact>}
      <Fact name={texts.facts.size}>{records === null ? null : text(texts.records, { count: records })}</Fact>
      <Fact name={texts.facts.updated}>
        {updatedAt &&
          rich(texts.age, {
            ...{ age: ageInWords(freshness.ageSeconds ?? 0), time: timeInWords(updatedAt) },
            muted,
          })}
      </Fact>
      <Fact name={texts.facts.sourceChecked}>
        {updatedAt && freshness.sourceCheckedAt && timeInWords(freshness.sourceCheckedAt)}
      </Fact>
      <Fact name={texts.facts.publisher}>
        {(publisher ?? sourceUrl) === null ? null : <Publisher of={dataset} />}
      </Fact>
      <Fact name={texts.facts.licence}>
        {(licence ?? licenceUrl) === null ? texts.notStated : <Licence of={dataset} />}
      </Fact>
      <Fact name={texts.facts.attribution}>{attribution}</Fact>
      <Fact name={texts.facts.formats}>{formats.map(({ name }) => formatName(name)).join(', ')}</Fact>
      {warnings.length > 0 && (
        <Fact name={texts.facts.problems}>
          <ul>
            {warnings.map(warning => (
              <li key={warning.detail}>{problemOf(warning, dataset)}</li>
            ))}
          </ul>
        </Fact>
      )}
    </dl>
  )
}

const DATES: Readonly<Record<string, string>> = texts.dates

/** A known problem of the records, without names of fields. Only the API knows the unexpected values. */
function problemOf(warning: Dataset['warnings'][number], { name, records }: Dataset): string {
  const { kind, detail } = warning
  if (kind === 'unknown-value') return detail
  const numbers = { count: grouped(warning.records), total: grouped(records ?? 0) }
  return kind === 'no-date'
    ? text(texts.problems[kind], { ...numbers, date: DATES[name] ?? texts.date })
    : text(texts.problems[kind], numbers)
}

/** The name of a format as its users write it. */
export const formatName = (format: string): string =>
  ({ geojson: 'GeoJSON', parquet: 'Parquet' })[format] ?? format.toUpperCase()
