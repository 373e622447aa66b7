import type { DatasetPage } from './load.ts'

type Field = DatasetPage['dataset']['fields'][number]

/** The fields of the records: their types, units and meanings, and what can be done with them. */
export function Fields({ fields }: { readonly fields: readonly Field[] }) {
  return (
    <>
      <h2>Fields</h2>
      <dl class="fields-list">
        {fields.map(field => (
          <div key={field.name}>
            <dt>
              <code>{field.name}</code> <span class="muted">{typeOf(field)}</span>
            </dt>
            <dd>
              {field.description} {usesOf(field)}
              <Values field={field} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function typeOf({ type, format, unit, nullable }: Field): string {
  const parts = [type, ...(format === null ? [] : [format]), ...(unit === null ? [] : [`in ${unit}`])]
  return `${parts.join(', ')}${nullable ? ' or null' : ''}`
}

/** What can be done with a field, as a sentence. */
function usesOf({ filter, sort, count }: Field): string {
  const uses = [filter !== null && 'filtered', sort && 'sorted', count && 'counted'].filter(Boolean)
  return uses.length === 0 ? '' : `Can be ${uses.join(' and ')} by.`
}

function Values({ field: { enumeration } }: { readonly field: Field }) {
  if (enumeration === null) return null
  return (
    <details>
      <summary>
        {enumeration.values.length} values{enumeration.closed ? '' : ', and the publisher may add some'}
      </summary>
      <ul>
        {enumeration.values.map(({ value, meaning }) => (
          <li key={value}>
            <code>{value}</code>
            {meaning !== null && ` ${meaning}`}
          </li>
        ))}
      </ul>
    </details>
  )
}
