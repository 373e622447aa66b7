import type { ComponentChildren } from 'preact'
import { dataLanguage } from '../address.ts'
import { parts } from '../texts/en/parts.ts'
import { text } from '../texts/text.ts'
import type { ParameterError } from './failed-request.tsx'

/** The API's error about a parameter, if the API refused its value. */
export const errorOf = (errors: readonly ParameterError[], parameter: string): ParameterError | undefined =>
  errors.find(error => error.parameter === parameter)

interface FieldProps {
  readonly name: string
  readonly label: string
  readonly error: ParameterError | undefined
  /** How the control refers to the error. */
  readonly children: (described: { id: string; name: string } & Described) => ComponentChildren
}

interface Described {
  readonly 'aria-invalid'?: 'true'
  readonly 'aria-describedby'?: string
}

/** A control of a form with its label, and the API's words if its value is wrong. */
export function Field({ name, label, error, children }: FieldProps) {
  const id = `field-${name}`
  const described: Described =
    error === undefined ? {} : { 'aria-invalid': 'true', 'aria-describedby': `${id}-error` }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, name, ...described })}
      {error !== undefined && (
        <p id={`${id}-error`} class="field-error" lang={dataLanguage}>
          {inSentences(error)}
        </p>
      )}
    </div>
  )
}

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  readonly value: string
  readonly type?: 'search' | 'number' | 'date' | 'text'
  /** Suggestions. */
  readonly list?: readonly string[]
}

/** A field for text, a number or a date. A value that the API refused stays as it is. */
export function TextField({ name, value, error, type = 'text', list, ...props }: TextFieldProps) {
  const listId = `list-${name}`
  return (
    <Field name={name} error={error} {...props}>
      {described => (
        <>
          <input
            {...{ ...described, value }}
            type={error === undefined ? type : 'text'}
            autocomplete="off"
            {...(type === 'number' && { min: 0, inputMode: 'decimal', step: 'any' })}
            {...(list && { list: listId })}
          />
          {list && (
            <datalist id={listId}>
              {list.map(each => (
                <option key={each} value={each} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  )
}

interface OptionsProps {
  /** The values with their labels. */
  readonly of: readonly (readonly [value: string, label: string])[]
  readonly chosen: string
}

/** The options of a control `select`. */
export const Options = ({ of, chosen }: OptionsProps) =>
  of.map(([value, label]) => (
    <option key={value} value={value} selected={value === chosen}>
      {label}
    </option>
  ))

/** A fault in sentences. */
export function inSentences({ detail, nearest }: ParameterError): string {
  const said = `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`
  return nearest === undefined ? said : text(parts.didYouMean, { fault: said, nearest })
}
