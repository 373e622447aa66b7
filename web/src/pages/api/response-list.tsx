import { to } from '../../address.ts'
import { api } from '../../texts/en/api.ts'
import { link, rich } from '../../texts/rich.tsx'
import { MarkedText } from './marked-text.tsx'
import type { PathOperation } from './openapi.ts'

/** Every status of an endpoint's answers. */
export function ResponseList({ responses }: Pick<PathOperation, 'responses'>) {
  return (
    <section>
      <h2 id="responses">{api.responses}</h2>
      <dl class="api-responses">
        {Object.entries(responses).map(([status, { description, content }]) => (
          <div key={status}>
            <dt>{status}</dt>
            <dd>
              <Description text={description} />
              {content && Number(status) < 400 && <p class="facts">{Object.keys(content).join(', ')}</p>}
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
