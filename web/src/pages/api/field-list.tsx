import type { Field } from './fields.ts'
import { MarkedText } from './marked-text.tsx'

/** The members of a response with their types and meanings; those of members inside them. */
export function FieldList({ fields }: { readonly fields: readonly Field[] }) {
  return (
    <ul class="api-fields">
      {fields.map(field => (
        <FieldItem key={field.name} field={field} />
      ))}
    </ul>
  )
}

function FieldItem({ field }: { readonly field: Field }) {
  const { name, type, isOptional, description, unit, example, values, fields } = field
  return (
    <li>
      <p>
        <code class="api-name">{name}</code>{' '}
        <span class="facts">
          {type}
          {unit !== undefined && `, in ${unit}`}
          {isOptional && ', not always there'}
        </span>
      </p>
      {description !== '' && (
        <p>
          <MarkedText text={description} />
          {example !== undefined && fields.length === 0 && (
            <span class="facts">
              {' '}
              Example: <code>{example}</code>
            </span>
          )}
        </p>
      )}
      {values.length > 0 && (
        <details>
          <summary>{values.length === 1 ? 'Its one value' : `Its ${values.length} values`}</summary>
          <ul>
            {values.map(({ value, meaning }) => (
              <li key={value}>
                <code>{value}</code>
                {meaning !== undefined && `: ${meaning}`}
              </li>
            ))}
          </ul>
        </details>
      )}
      {fields.length > 0 && <FieldList fields={fields} />}
    </li>
  )
}
