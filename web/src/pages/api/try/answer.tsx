import { grouped } from '../../../words/numbers.ts'
import { CodeBlock } from '../../docs/code-block.tsx'

/** What came of a request that was sent. */
export interface Answer {
  readonly status: number
  readonly milliseconds: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body as text; undefined where it is no text. */
  readonly body: string | undefined
  /** Characters or bytes that were read. */
  readonly size: number
  /** True where the response goes on. */
  readonly isCut: boolean
}

/** Shows the answer to a request. */
export function AnswerView({ answer }: { readonly answer: Answer }) {
  const { status, milliseconds, headers, body, size, isCut } = answer
  return (
    <section aria-label="Answer">
      <p role="status" class={status < 400 ? 'api-good' : 'api-bad'}>
        <strong>Status {status}</strong> after {milliseconds} ms
      </p>
      <details>
        <summary>{headers.length} headers</summary>
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
        <p>The body is no text. Open the address to download it.</p>
      ) : (
        <CodeBlock code={body === '' ? '(no body)' : body} class="api-body" />
      )}
      {isCut && <p class="facts">The first {grouped(size)} bytes; open the address to see all of it.</p>}
    </section>
  )
}
