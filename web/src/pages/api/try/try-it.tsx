import { absolute, to } from '../../../address.ts'
import { api } from '../../../texts/en/api.ts'
import type { Input } from './input.ts'
import { InputRow } from './input-row.tsx'
import { requestPath } from './request.ts'
import { RequestExamples } from './request-examples.tsx'

interface TryItProps {
  readonly path: string
  readonly inputs: readonly Input[]
  readonly values: ReadonlyMap<string, string>
  readonly baseUrl: string
}

/** The parameters of an endpoint as a form. With a script, the form sends the request at once. Without one, it leads to the request's address. */
export function TryIt({ path, inputs, values, baseUrl }: TryItProps) {
  const request = requestPath(path, values)
  return (
    <section>
      <h2 id="try">{inputs.length === 0 ? api.tryIt : api.tryParameters}</h2>
      <form id="api-try" method="get" data-path={path} data-base={baseUrl}>
        <ul class="api-parameters">
          {inputs.map(input => (
            <InputRow key={input.name} input={input} value={values.get(input.name) ?? ''} />
          ))}
        </ul>
        <div class="api-send">
          <button type="submit">{api.send}</button>
          <span id="api-state" role="status" />
          <a id="api-address" href={to(request)}>
            {to(request)}
          </a>
        </div>
      </form>
      <div id="api-answer" />
      <h3>{api.inYourProgram}</h3>
      <div id="api-examples">
        <RequestExamples url={absolute(request)} />
      </div>
    </section>
  )
}
