import { PROBLEMS, type ProblemCode } from '../../../../src/errors.ts'
import { declarePage, type ViewProps } from '../../page.ts'

interface Kind {
  readonly code: string
  readonly path: string
  readonly status: number
  readonly title: string
  readonly hint: string
}

const KINDS: readonly Kind[] = (Object.keys(PROBLEMS) as ProblemCode[]).map(code => ({
  ...PROBLEMS[code],
  code,
  path: `/problems/${code.toLowerCase().replaceAll('_', '-')}`,
}))

/** Every kind of problem that the service answers with. */
export const problems = declarePage({
  path: '/problems',
  maxAge: 3600,
  load: async () => KINDS,
  title: () => 'Problems',
  description: () => 'Every error that the service answers with, what it means and what to do.',
  View: ListView,
})

function ListView({ data }: ViewProps<readonly Kind[]>) {
  return (
    <>
      <h1>Problems</h1>
      <p>Each error response of this service names one of these kinds by its address and its code.</p>
      <ul>
        {data.map(({ code, path, status, title }) => (
          <li key={code}>
            <a href={path}>{title}</a> <span class="muted">{status}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** One kind of problem; the `type` of every error is the address of one. */
export const problem = declarePage({
  path: '/problems/:kind',
  maxAge: 3600,
  load: async ({ path }) => KINDS.find(kind => kind.path === path.replace(/\/$/, '')) ?? null,
  title: kind => kind?.title ?? 'No such problem',
  description: kind => kind?.hint ?? 'No kind of problem has this address.',
  status: kind => (kind === null ? 404 : 200),
  addresses: async () => KINDS.map(({ path }) => path),
  View: KindView,
})

function KindView({ data: kind }: ViewProps<Kind | null>) {
  if (kind === null)
    return (
      <>
        <h1>No such problem</h1>
        <p>
          No kind of problem has this address. <a href="/problems">All problems</a>
        </p>
      </>
    )
  return (
    <>
      <h1>{kind.title}</h1>
      <p>
        <code>{kind.code}</code>, HTTP status {kind.status}
      </p>
      <p>{kind.hint}</p>
      <p>
        <a href="/problems">All problems</a>
      </p>
    </>
  )
}
