import { Options } from '../../../parts/field.tsx'
import { api } from '../../../texts/en/api.ts'
import { text } from '../../../texts/text.ts'
import { MarkedText } from '../marked-text.tsx'
import type { Input } from './input.ts'

interface InputRowProps {
  readonly input: Input
  readonly value: string
}

/** A parameter with its meaning, its allowed values and its control. */
export function InputRow({ input, value }: InputRowProps) {
  const { name, isRequired, description, type, allowed, isList, limits } = input
  const id = `parameter-${name}`
  return (
    <li class="api-parameter">
      <label for={id}>
        <code class="api-name">{name}</code>{' '}
        <span class="facts">
          {type}
          {isRequired && api.required}
          {isList && api.list}
        </span>
      </label>
      <p id={`${id}-hint`}>
        <MarkedText text={description} />{' '}
        <span class="facts">
          {limits} {input.default !== undefined && text(api.default, { value: input.default })}
        </span>
      </p>
      {isList && allowed.length > 0 && (
        <details>
          <summary>{text(api.allowed, { count: allowed.length })}</summary>
          <p>
            {allowed.map((each, index) => (
              <>
                {index > 0 && ', '}
                <code key={each}>{each}</code>
              </>
            ))}
          </p>
        </details>
      )}
      <Control input={input} id={id} value={value} />
    </li>
  )
}

function Control({ input, id, value }: InputRowProps & { readonly id: string }) {
  const { name, allowed, isList, isRequired, placeholder } = input
  if (allowed.length > 0 && !isList)
    return (
      <select id={id} name={name} aria-describedby={`${id}-hint`} required={isRequired}>
        {!isRequired && <option value="">{api.notGiven}</option>}
        <Options of={[...new Set(allowed.concat(value || []))].map(each => [each, each])} chosen={value} />
      </select>
    )
  return (
    <input
      {...{ id, name, value, required: isRequired, placeholder }}
      aria-describedby={`${id}-hint`}
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
    />
  )
}
