import { to } from '../../address.ts'
import { api } from '../../texts/en/api.ts'
import { link, rich } from '../../texts/rich.tsx'
import { MarkedText } from './marked-text.tsx'

export interface ShownResponse {
  readonly status: string
  readonly description: string
  /** Its media types. */
  readonly types: readonly string[]
}

/** Every status of an endpoint's answers. */
export function ResponseList({ responses }: { readonly responses: readonly ShownResponse[] }) {
  return (
    <section>
      <h2 id="responses">{api.responses}</h2>
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
        {rich(api.everyResponse, { problems: link('/problems'), headers: link('/docs/reference/headers') })}
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
