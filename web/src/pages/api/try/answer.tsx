import { api } from '../../../texts/en/api.ts'
import { rich, strong, text } from '../../../texts/rich.tsx'
import { grouped } from '../../../words/numbers.ts'
import { CodeBlock } from '../../docs/code-block.tsx'

/** The answer to a request. */
export interface Answer {
  readonly status: number
  readonly milliseconds: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body as text; undefined if it is not text. */
  readonly body: string | undefined
  /** Characters or bytes that were read. */
  readonly size: number
  /** True if the response goes on. */
  readonly isCut: boolean
}

interface AnswerProps {
  readonly answer: Answer
}

/** The status of an answer. */
export function AnswerStatus({ answer: { status, milliseconds } }: AnswerProps) {
  return (
    <span class={status < 400 ? 'api-good' : 'api-bad'}>
      {rich(api.status, { status, milliseconds, strong })}
    </span>
  )
}

/** The headers and the body of an answer. */
export function AnswerView({ answer: { headers, body, size, isCut } }: AnswerProps) {
  return (
    <section aria-label={api.answer}>
      <details>
        <summary>{text(api.headers, { count: headers.length })}</summary>
        <dl class="api-headers">
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {body === undefined ? (
        <p>{api.notText}</p>
      ) : (
        <CodeBlock code={body === '' ? api.noBody : body} class="api-body" />
      )}
      {isCut && <p class="facts">{text(api.cut, { size: grouped(size) })}</p>}
    </section>
  )
}
