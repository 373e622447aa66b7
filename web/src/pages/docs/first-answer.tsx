import { absolute, to } from '../../address.ts'
import { CodeBlock } from './code-block.tsx'

/** A request to this service that can be copied, and what it answers. */
export function FirstAnswer() {
  const path = '/v1/carparks/live-spaces'
  return (
    <section class="first-answer">
      <h2>A first answer</h2>
      <p>No key, no account. In a terminal:</p>
      <CodeBlock code={`curl ${absolute(path)}`} />
      <p>
        Or open <a href={to(path)}>{path}</a> in this browser: it gives the last free spaces of each car park
        in the live feed.
      </p>
    </section>
  )
}
