import { parts } from '../texts/en/parts.ts'
import { code, rich, text } from '../texts/rich.tsx'
import { FailedRequest, type Failure } from './failed-request.tsx'
import { inSentences } from './field.tsx'

interface RefusedSearchProps {
  readonly failure: Failure
  /** The parameters with an error beside their fields. */
  readonly fields: readonly string[]
  /** The address of the same search without some of its parameters. */
  readonly without: (parameters: readonly string[]) => string
}

/** Stands in place of the results: says what is wrong with the search, or why there is no answer now. */
export function RefusedSearch({ failure, fields, without }: RefusedSearchProps) {
  const { status, errors = [] } = failure.failed
  if (status !== 400) return <FailedRequest failure={failure} retry={without([])} />
  const elsewhere = errors.filter(({ parameter }) => !fields.includes(parameter))
  return (
    <div class="notice" role="alert">
      <h2>{parts.refused}</h2>
      {elsewhere.length < errors.length && <p>{parts.refusedFields}</p>}
      {elsewhere.length > 0 && (
        <>
          <ul>
            {elsewhere.map(error => (
              <li key={error.parameter}>
                {rich(parts.refusedValue, {
                  ...{ parameter: error.parameter, value: String(error.value), fault: inSentences(error) },
                  code,
                })}
              </li>
            ))}
          </ul>
          <p>
            <a href={without(elsewhere.map(({ parameter }) => parameter))}>
              {text(parts.searchWithout, { count: elsewhere.length })}
            </a>
          </p>
        </>
      )}
    </div>
  )
}
