import { type Measured, sumUp } from '../report/measured.ts'
import type { Bare } from '../servers/bare.ts'
import type { Target } from '../servers/service.ts'
import { ask, headerOf, type Question, requireSame } from './answer.ts'
import { requestBytes } from './connection.ts'
import { type Asked, measureInTurn, type RoundOptions, type Slice } from './rounds.ts'
import type { Scenario } from './scenarios.ts'

export interface Players {
  readonly bare: Bare
  readonly service: Target
  /** The addresses of the mix. */
  readonly mix: readonly string[]
}

/** The page that the bare server writes for every query of the mix. */
const TYPICAL_PAGE = '/v1/vehicles'

/** Measures a scenario. Fails unless both servers answer the same. */
export async function play(scenario: Scenario, players: Players, rounds: RoundOptions): Promise<Measured> {
  const { bare, service, mix } = players
  const question = await questionOf(scenario, service)
  const asked = [bare, service].map(target => askedOf(scenario, target, mix, question))
  return sumUp(scenario, await measureInTurn(asked, rounds, () => copyAnswer(question, players)))
}

/** Measures a scenario on several services. Returns the slices of each. */
export async function playOnEach(
  scenario: Scenario,
  services: readonly Target[],
  mix: readonly string[],
  rounds: RoundOptions,
): Promise<Slice[][]> {
  const asked: Asked[] = []
  for (const service of services)
    asked.push(askedOf(scenario, service, mix, await questionOf(scenario, service)))
  return measureInTurn(asked, rounds, async () => {})
}

function askedOf(
  { status = 200, paths }: Scenario,
  target: Target,
  mix: readonly string[],
  { headers }: Question,
): Asked {
  return { target, status, requests: (paths ?? mix).map(path => requestBytes(target.port, path, headers)) }
}

/** Gives the bare server the service's present answer (an answer of live-spaces grows old), and checks that both answer the same. */
async function copyAnswer(question: Question, { bare, service }: Players): Promise<void> {
  const answer = await ask(service.port, question)
  await bare.answerWith(answer)
  requireSame(`the bare server, asked for ${question.path}`, answer, await ask(bare.port, question))
}

async function questionOf(
  { name, status = 200, paths = [TYPICAL_PAGE], asks }: Scenario,
  service: Target,
): Promise<Question> {
  const [path = ''] = paths
  if (asks === undefined) {
    const { status: got } = await ask(service.port, { path })
    if (got !== status) throw new Error(`${name}: status ${got} instead of ${status}`)
    return { path }
  }
  if (asks === 'for gzip') return { path, headers: { 'Accept-Encoding': 'gzip' } }
  const etag = headerOf(await ask(service.port, { path }), 'etag')
  if (etag === '') throw new Error(`${path} has no ETag`)
  return { path, headers: { 'If-None-Match': etag } }
}
