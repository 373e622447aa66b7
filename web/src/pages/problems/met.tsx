import type { ApiError } from '../../../../src/interfaces/web/explorer.ts'
import { dataLanguage } from '../../address.ts'
import type { Page, ViewProps } from '../../page.ts'
import { failure as texts } from '../../texts/en/problems.ts'
import { meaningOf } from '../../texts/meaning.ts'
import { anchor, link, rich, text } from '../../texts/rich.tsx'

/** The data of the page: a problem. */
export interface ProblemData {
  readonly problem: NonNullable<ApiError['problem']>
}

/** The page that a browser gets for a failed request. */
export const problemPage: Page<ProblemData> = {
  path: '',
  maxAge: 0,
  load: () => Promise.reject(new Error('a problem has no address of its own')),
  title: ({ problem }) => meaningOf(problem.title),
  description: ({ problem }) => problem.detail,
  status: ({ problem }) => problem.status,
  View,
}

/** The detail for a path without a similar path. It says no more than the heading. */
const NO_SUCH_PATH = 'No such path.'

function View({ data: { problem } }: ViewProps<ProblemData>) {
  return (
    <>
      <h1>{problem.status === 404 ? texts.pageNotFound : meaningOf(problem.title)}</h1>
      {problem.detail === NO_SUCH_PATH ? (
        <p>{texts.tryThese}</p>
      ) : (
        <p lang={dataLanguage}>{problem.detail}</p>
      )}
      {(problem.errors ?? []).length > 0 && (
        <ul>
          {problem.errors?.map(({ parameter, value, detail, allowed, nearest }) => (
            <li key={parameter}>
              <code>{parameter}</code>
              {value === undefined ? '' : ` “${value}”`} <span lang={dataLanguage}>{detail}</span>.
              {allowed === undefined ? '' : ` ${text(texts.allowed, { allowed })}`}
              {nearest === undefined ? '' : ` ${text(texts.didYouMean, { nearest })}`}
            </li>
          ))}
        </ul>
      )}
      {problem.status !== 404 && <p lang={dataLanguage}>{problem.hint}</p>}
      <p>
        {rich(texts.links, {
          start: link('/'),
          map: link('/map'),
          docs: link('/docs'),
          about: anchor(problem.type, dataLanguage),
        })}
      </p>
    </>
  )
}
