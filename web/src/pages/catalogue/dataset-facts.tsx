import type { components } from '../../../../client/src/schema.ts'
import { Fact } from '../../parts/fact.tsx'
import { Licence, Publisher } from '../../parts/origin.tsx'
import { counted } from '../../words/numbers.ts'
import { ageInWords, timeInWords } from '../../words/relative-time.ts'

type Dataset = components['schemas']['DatasetDescription']

/** What people ask about a dataset before they use it. */
export function DatasetFacts({ dataset }: { readonly dataset: Dataset }) {
  const { available, records, publisher, sourceUrl, licence, licenceUrl, attribution } = dataset
  const { formats, warnings } = dataset
  return (
    <dl class="facts-list">
      {!available && <Fact name="State">Not available at the moment</Fact>}
      {records !== null && <Fact name="Size">{counted(records, 'record')}</Fact>}
      <Freshness dataset={dataset} />
      <Fact name="Publisher">{(publisher ?? sourceUrl) === null ? null : <Publisher of={dataset} />}</Fact>
      <Fact name="Licence">{(licence ?? licenceUrl) === null ? 'Not stated' : <Licence of={dataset} />}</Fact>
      {attribution !== null && <Fact name="Name it as">{attribution}</Fact>}
      <Fact name="Formats">{formats.map(({ name }) => FORMAT_NAMES[name] ?? name).join(', ')}</Fact>
      {warnings.length > 0 && (
        <Fact name="Known faults">
          <ul>
            {warnings.map(({ kind, detail }) => (
              <li key={kind}>{detail}</li>
            ))}
          </ul>
        </Fact>
      )}
    </dl>
  )
}

/** The formats as their users write them. */
export const FORMAT_NAMES: Readonly<Record<string, string>> = {
  json: 'JSON',
  csv: 'CSV',
  ndjson: 'NDJSON',
  geojson: 'GeoJSON',
  parquet: 'Parquet',
}

function Freshness({ dataset: { updatedAt, freshness } }: { readonly dataset: Dataset }) {
  if (updatedAt === null) return null
  const { ageSeconds, sourceCheckedAt } = freshness
  return (
    <>
      <Fact name="Updated">
        {ageInWords(ageSeconds ?? 0)} <span class="muted">({timeInWords(updatedAt)})</span>
      </Fact>
      {sourceCheckedAt !== null && <Fact name="Source checked">{timeInWords(sourceCheckedAt)}</Fact>}
    </>
  )
}
