import { to } from '../../address.ts'
import { MarkedText } from './marked-text.tsx'

export interface ShownResponse {
  readonly status: string
  readonly description: string
  /** Its media types. */
  readonly types: readonly string[]
}

/** Every status with which an endpoint answers. */
export function ResponseList({ responses }: { readonly responses: readonly ShownResponse[] }) {
  return (
    <section>
      <h2 id="responses">Responses</h2>
      <dl class="api-responses">
        {responses.map(({ status, description, types }) => (
          <div key={status}>
            <dt>{status}</dt>
            <dd>
              <Description text={description} />
              {Number(status) < 400 && types.length > 0 && <p class="facts">{types.join(', ')}</p>}
            </dd>
          </div>
        ))}
      </dl>
      <p>
        Every error has a <a href={to('/problems')}>kind</a> with a page of its own, and every response these{' '}
        <a href={to('/docs/reference/headers')}>headers</a>.
      </p>
    </section>
  )
}

/** Codes of problems are linked to their pages. */
function Description({ text }: { readonly text: string }) {
  const parts = text.split(/\b([A-Z]+(?:_[A-Z]+)+|OVERLOADED): /)
  if (parts.length < 3) return <MarkedText text={text} />
  return (
    <ul class="api-problems">
      {parts.flatMap((part, index) =>
        index % 2 === 0
          ? []
          : [
              <li key={part}>
                <a href={to(`/problems/${part.toLowerCase().replaceAll('_', '-')}`)}>
                  <code>{part}</code>
                </a>{' '}
                {parts[index + 1]?.trim()}
              </li>,
            ],
      )}
    </ul>
  )
}
