import { absolute, to } from '../../address.ts'
import { docs } from '../../texts/en/docs.ts'
import { anchor, rich } from '../../texts/rich.tsx'
import { CodeBlock } from './code-block.tsx'

/** A request to this service that readers can copy, and its answer. */
export function FirstAnswer() {
  const path = '/v1/carparks/live-spaces'
  return (
    <section class="first-answer">
      <h2>{docs.firstAnswer}</h2>
      <p>{docs.firstAnswerDetail}</p>
      <CodeBlock code={`curl ${absolute(path)}`} />
      <p>{rich(docs.inBrowser, { path, link: anchor(to(path)) })}</p>
    </section>
  )
}
