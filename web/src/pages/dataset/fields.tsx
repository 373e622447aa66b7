import { data } from '../../texts/en/data.ts'
import { text } from '../../texts/text.ts'
import { PARTS } from '../../words/lists.ts'
import type { DatasetPage } from './load.ts'

type Field = DatasetPage['dataset']['fields'][number]

/** The fields of the records: their types, units, meanings and uses. */
export function Fields({ fields }: { readonly fields: readonly Field[] }) {
  return (
    <>
      <h2>{data.fields}</h2>
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
  const parts = [type, format, unit && text(data.inUnit, { unit })].filter(Boolean)
  const whole = parts.join(', ')
  return nullable ? text(data.orNull, { type: whole }) : whole
}

/** The uses of a field as a sentence. */
function usesOf({ filter, sort, count }: Field): string {
  const uses = [filter && data.filter, sort && data.sort, count && data.count].filter(
    use => typeof use === 'string',
  )
  return uses.length === 0 ? '' : text(data.uses, { uses: PARTS.format(uses) })
}

function Values({ field: { enumeration } }: { readonly field: Field }) {
  if (enumeration === null) return null
  return (
    <details>
      <summary>
        {text(enumeration.closed ? data.values : data.openValues, { count: enumeration.values.length })}
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
