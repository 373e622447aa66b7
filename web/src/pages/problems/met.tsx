import type { ApiError } from '../../../../src/interfaces/web/explorer.ts'
import { type Page, to, type ViewProps } from '../../page.ts'

/** A problem that was met. */
export interface ProblemData {
  readonly problem: NonNullable<ApiError['problem']>
}

/** The page that a browser gets instead of what it asked for. */
export const problemPage: Page<ProblemData> = {
  path: '',
  maxAge: 0,
  load: () => Promise.reject(new Error('a problem has no address of its own')),
  title: ({ problem }) => problem.title,
  description: ({ problem }) => problem.detail,
  status: ({ problem }) => problem.status,
  View,
}

/** What the service says of a path that is like no other; it tells people nothing more than the heading. */
const NO_SUCH_PATH = 'No such path.'

function View({ data: { problem } }: ViewProps<ProblemData>) {
  return (
    <>
      <h1>{problem.status === 404 ? 'There is nothing at this address' : problem.title}</h1>
      <p>{problem.detail === NO_SUCH_PATH ? 'Check the address, or go on from here:' : problem.detail}</p>
      {(problem.errors ?? []).length > 0 && (
        <ul>
          {problem.errors?.map(({ parameter, value, detail, allowed, nearest }) => (
            <li key={parameter}>
              <code>{parameter}</code>
              {value === undefined ? '' : ` “${value}”`} {detail}.
              {allowed === undefined ? '' : ` Allowed: ${allowed}.`}
              {nearest === undefined ? '' : ` Did you mean ${nearest}?`}
            </li>
          ))}
        </ul>
      )}
      {problem.status !== 404 && <p>{problem.hint}</p>}
      <p>
        <a href={to('/')}>Start page</a> · <a href={to('/map')}>Map</a> · <a href={to('/docs')}>Docs</a> ·{' '}
        <a href={problem.type}>About this problem</a>
      </p>
    </>
  )
}
