import { type Measured, sumUp } from '../report/measured.ts'
import type { Bare } from '../servers/bare.ts'
import type { Target } from '../servers/service.ts'
import { type Answer, ask, headerOf, type Question, requireSame } from './answer.ts'
import { requestBytes } from './connection.ts'
import { type Asked, CONNECTIONS, CONNECTIONS_TO_SQL, measureInTurn, type RoundOptions } from './rounds.ts'
import type { Scenario } from './scenarios.ts'

export interface Players {
  readonly bare: Bare
  readonly service: Target
  /** SQL, where it is compared. */
  readonly sql: Target | undefined
  /** The addresses of the mix. */
  readonly mix: readonly string[]
}

/** The page that the bare server writes for every query of the mix. */
const TYPICAL_PAGE = '/v1/vehicles'

/** Measures a scenario. Fails unless all its servers answer the same. */
export async function play(scenario: Scenario, players: Players, rounds: RoundOptions): Promise<Measured> {
  const { bare, service, sql, mix } = players
  const question = await questionOf(scenario, service)
  const { status = 200, paths = mix } = scenario
  const askedOf = (target: Target): Asked => ({
    target,
    status,
    connections: target === sql ? CONNECTIONS_TO_SQL : CONNECTIONS,
    requests: paths.map(path => requestBytes(target.port, path, question.headers)),
  })

  const answer = await requireSameFromAll(scenario, question, players)
  if (answer.status !== status)
    throw new Error(`${scenario.name}: status ${answer.status} instead of ${status}`)
  const targets = [bare, service, ...(sql === undefined ? [] : [sql])]
  const slices = await measureInTurn(targets.map(askedOf), rounds, () => copyAnswer(question, players))
  return sumUp(scenario, slices)
}

/** Gives the bare server the service's present answer (that of live-spaces grows old), and sees that it gives it. */
async function copyAnswer(question: Question, { bare, service }: Players): Promise<void> {
  const answer = await ask(service.port, question)
  await bare.answerWith(answer)
  requireSame(`the bare server, asked for ${question.path}`, answer, await ask(bare.port, question))
}

/** Fails unless SQL and the columnar table give the same response; returns it. */
async function requireSameFromAll(
  scenario: Scenario,
  question: Question,
  { service, sql, mix }: Players,
): Promise<Answer> {
  const answer = await ask(service.port, question)
  if (sql === undefined) return answer
  const others = scenario.paths ?? mix.filter((_, i) => i % 50 === 0)
  for (const path of others)
    requireSame(`SQL, asked for ${path}`, await ask(service.port, { path }), await ask(sql.port, { path }))
  return answer
}

async function questionOf({ paths = [TYPICAL_PAGE], asks }: Scenario, service: Target): Promise<Question> {
  const [path = ''] = paths
  if (asks === undefined) return { path }
  if (asks === 'for gzip') return { path, headers: { 'Accept-Encoding': 'gzip' } }
  const etag = headerOf(await ask(service.port, { path }), 'etag')
  if (etag === '') throw new Error(`${path} has no ETag`)
  return { path, headers: { 'If-None-Match': etag } }
}
