import { api } from '../../texts/en/api.ts'
import { code, rich, text } from '../../texts/rich.tsx'
import type { Field } from './fields.ts'
import { MarkedText } from './marked-text.tsx'

/** The members of a response with their types and meanings, and their own members. */
export function FieldList({ fields }: { readonly fields: readonly Field[] }) {
  return (
    <ul class="api-fields">
      {fields.map(({ name, type, isOptional, description, unit, example, values, isOpen, fields }) => (
        <li key={name}>
          <p>
            <code class="api-name">{name}</code>{' '}
            <span class="facts">
              {type}
              {unit && text(api.inUnit, { unit })}
              {isOptional && api.optional}
            </span>
          </p>
          {description !== '' && (
            <p>
              <MarkedText text={description} />
              {example !== undefined && fields.length === 0 && (
                <span class="facts"> {rich(api.example, { example, code })}</span>
              )}
            </p>
          )}
          {values.length > 0 && (
            <details>
              <summary>{text(isOpen ? api.openValues : api.values, { count: values.length })}</summary>
              <ul>
                {values.map(({ value, meaning }) => (
                  <li key={value}>
                    <code>{value}</code>
                    {meaning && `: ${meaning}`}
                  </li>
                ))}
              </ul>
            </details>
          )}
          {fields.length > 0 && <FieldList fields={fields} />}
        </li>
      ))}
    </ul>
  )
}
