import { FailedRequest, type Failure } from './failed-request.tsx'
import { inSentences } from './field.tsx'

interface RefusedSearchProps {
  readonly failure: Failure
  /** The parameters whose errors stand beside their fields. */
  readonly fields: readonly string[]
  /** The address of the same search without some of its parameters. */
  readonly without: (parameters: readonly string[]) => string
}

/** Instead of what was searched: what is wrong with the search, or why there is no answer now. */
export function RefusedSearch({ failure, fields, without }: RefusedSearchProps) {
  const { status, errors = [] } = failure.failed
  if (status !== 400) return <FailedRequest failure={failure} retry={without([])} />
  const elsewhere = errors.filter(({ parameter }) => !fields.includes(parameter))
  return (
    <div class="notice" role="alert">
      <h2>This search cannot be answered</h2>
      {elsewhere.length < errors.length && <p>Change the fields that are marked below, and search again.</p>}
      {elsewhere.length > 0 && (
        <>
          <ul>
            {elsewhere.map(error => (
              <li key={error.parameter}>
                <code>{error.parameter}</code> “{error.value}”: {inSentences(error)}
              </li>
            ))}
          </ul>
          <p>
            <a href={without(elsewhere.map(({ parameter }) => parameter))}>Search without</a>
          </p>
        </>
      )}
    </div>
  )
}
