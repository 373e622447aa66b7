import { MarkedText } from '../marked-text.tsx'
import type { Input } from './input.ts'

interface InputRowProps {
  readonly input: Input
  readonly value: string
}

/** A parameter: what it means, what is allowed, and where to enter it. */
export function InputRow({ input, value }: InputRowProps) {
  const { name, isRequired, description, type, allowed, isList, limits } = input
  const id = `parameter-${name}`
  return (
    <li class="api-parameter">
      <label for={id}>
        <code class="api-name">{name}</code>{' '}
        <span class="facts">
          {type}
          {isRequired && ', required'}
          {isList && ', separated by commas'}
        </span>
      </label>
      <p id={`${id}-hint`}>
        <MarkedText text={description} />{' '}
        <span class="facts">
          {limits !== undefined && `From ${limits}. `}
          {input.default !== undefined && `Default: ${input.default}.`}
        </span>
      </p>
      {isList && allowed.length > 0 && (
        <details>
          <summary>{allowed.length} allowed values</summary>
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
        {!isRequired && <option value="">not given</option>}
        {[...new Set(value === '' ? allowed : [...allowed, value])].map(each => (
          <option key={each} value={each} selected={each === value}>
            {each}
          </option>
        ))}
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
