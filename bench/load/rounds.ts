import { cpuSeconds } from '../servers/process.ts'
import type { Target } from '../servers/service.ts'
import { driveLoad } from './load.ts'

export interface RoundOptions {
  readonly rounds: number
  readonly seconds: number
  readonly warmSeconds: number
}

/** One measurement of one target. */
export interface Slice {
  /** The number of requests in flight. */
  readonly connections: number
  readonly perSecond: number
  /** Server processor time for an answer, in microseconds; NaN if the platform does not report it. */
  readonly cpuMicros: number
  readonly p99Ms: number
}

/** A target with its requests. */
export interface Asked {
  readonly target: Target
  readonly requests: readonly Buffer[]
  /** The status that every answer must have. */
  readonly status: number
}

/** The number of consumers that wait for an answer at any time. */
export const CONNECTIONS = 64

/**
 * Measures the targets in turn, round after round, every other round backwards, so that a change in the machine's speed
 * affects all targets alike. Returns a list of slices for each target. Throws if an answer fails, because the figures would
 * mean nothing.
 */
export async function measureInTurn(
  targets: readonly Asked[],
  { rounds, seconds, warmSeconds }: RoundOptions,
  beforeRound: () => Promise<void>,
): Promise<Slice[][]> {
  const slices: Slice[][] = targets.map(() => [])
  const connections = targets.map(() => CONNECTIONS)
  for (let round = 0; round < rounds; round++) {
    await beforeRound()
    const inOrder = [...targets.entries()]
    for (const [i, asked] of round % 2 === 0 ? inOrder : inOrder.reverse()) {
      const slice = await measure(asked, seconds, warmSeconds, connections[i])
      connections[i] = slice.connections
      slices[i]?.push(slice)
    }
  }
  return slices
}

/**
 * Measures one target once. If the target refuses requests, measures again with half as many connections. A server that
 * answers one request at a time keeps its core just as busy, and then refusals take no time from answers.
 */
export async function measure(
  asked: Asked,
  seconds: number,
  warmSeconds: number,
  connections = CONNECTIONS,
): Promise<Slice> {
  const { target, requests, status } = asked
  target.forgetOutput()
  const cpu: number[] = []
  const result = await driveLoad({
    ...{ port: target.port, requests, status, seconds, warmSeconds, connections },
    leastAnswers: connections,
    onMeasuring: () => cpu.push(cpuSeconds(target.pid)),
  })
  if (result.failed > 0 || (result.refused > 0 && connections === 1))
    throw new Error(
      `${target.name}: ${result.firstFailure || 'it turns away a single consumer'}\n${target.output()}`,
    )
  if (result.refused > 0) return measure(asked, seconds, warmSeconds, Math.ceil(connections / 2))
  const [before = Number.NaN, after = Number.NaN] = cpu
  return {
    connections,
    perSecond: result.answers / result.seconds,
    cpuMicros: ((after - before) / result.answers) * 1e6,
    p99Ms: result.p99Ms,
  }
}
