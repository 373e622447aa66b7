import { absolute, dataLanguage, to } from '../../address.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { data } from '../../texts/en/data.ts'
import { text } from '../../texts/text.ts'
import type { DatasetPage } from './load.ts'

type EndpointsProps = Pick<DatasetPage['dataset'], 'endpoints'>

/** The addresses of a dataset in the API. Addresses without a variable part are links, with commands to copy. */
export function Endpoints({ endpoints }: EndpointsProps) {
  const [list] = endpoints
  return (
    <>
      {list !== undefined && (
        <pre>
          <code>{commandFor(list.path)}</code>
        </pre>
      )}
      <ul class="endpoints">
        {endpoints.map(({ path, title }) => (
          <li key={path}>
            <div>
              {path.includes('{') ? <code>{path}</code> : <a href={path}>{path}</a>}
              <br />
              <span lang={dataLanguage}>{title}</span>
            </div>
            {!path.includes('{') && (
              <span>
                <CopyButton text={commandFor(path)} what={text(data.commandFor, { path })} />
              </span>
            )}
          </li>
        ))}
      </ul>
      <p>
        <a href={to('/docs/api')} hreflang={dataLanguage}>
          {data.reference}
        </a>
      </p>
    </>
  )
}

/** The paths of the catalogue are relative to the host. */
const commandFor = (path: string): string => `curl '${new URL(path, absolute('/'))}'`
