import { absolute, to } from '../../address.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import type { DatasetPage } from './load.ts'

type EndpointsProps = Pick<DatasetPage['dataset'], 'endpoints'>

/** All that the API serves of a dataset; addresses without a variable part lead there, and can be copied as commands. */
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
              {title}
            </div>
            {!path.includes('{') && (
              <span>
                <CopyButton text={commandFor(path)} what={`the curl command for ${path}`} />
              </span>
            )}
          </li>
        ))}
      </ul>
      <p>
        <a href={to('/docs/api')}>Reference of the API</a>
      </p>
    </>
  )
}

/** The paths of the catalogue are relative to the host. */
const commandFor = (path: string): string => `curl '${new URL(path, absolute('/'))}'`
