import { CopyButton } from '../../parts/copy-button.tsx'
import type { DatasetPage } from './load.ts'

interface EndpointsProps {
  readonly endpoints: DatasetPage['dataset']['endpoints']
  readonly baseUrl: string
}

/** All that the API serves of a dataset; addresses without a variable part lead there, and can be copied as commands. */
export function Endpoints({ endpoints, baseUrl }: EndpointsProps) {
  const [list] = endpoints
  return (
    <>
      {list !== undefined && (
        <pre>
          <code>{commandFor(list.path, baseUrl)}</code>
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
                <CopyButton text={commandFor(path, baseUrl)} what={`the curl command for ${path}`} />
              </span>
            )}
          </li>
        ))}
      </ul>
      <p>
        <a href="/docs/api">Reference of the API</a>
      </p>
    </>
  )
}

const commandFor = (path: string, baseUrl: string): string => `curl '${baseUrl}${path}'`
