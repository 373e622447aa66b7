import type { FastifyReply } from 'fastify'
import type { MaybePromise } from '../../values/maybe-promise.ts'
import { type Admission, type AdmissionOptions, createAdmission } from '../protection/load-shedding.ts'
import type { Parameters, ParsedQuery } from '../request/parameters.ts'
import { CODINGS } from '../response/content-coding.ts'
import type { Sendable } from '../response/outcome.ts'
import { type Answers, createAnswers } from '../response/response-cache.ts'

/** An endpoint at one of its paths. */
export interface Address {
  /** As the endpoint is declared: variable parts are `:name`. */
  readonly path: string
  /** The tag of its endpoint: the dataset. */
  readonly tag: string
  /** True where everybody may ask as often as they like, so that no hook need look at the request. */
  readonly isOpen: boolean
  /** Where answers of this address are kept. */
  readonly answers: Answers
  /** Reads what is asked. Throws the problem INVALID_PARAMETER. */
  ask(url: string, params: Readonly<Record<string, string>>): Question
}

/** Where a path leads. */
export interface Destination {
  readonly address: Address
  /** The variable parts of the path by name. */
  readonly params: Readonly<Record<string, string>>
}

/** What is asked of an address, read. */
export interface Question {
  /** Parameters that are not known there. */
  readonly ignored: ParsedQuery<Parameters>['ignored']
  /** The key under which the answer is kept; absent where none is. */
  readonly key?: string
  /** Gives the answer, kept or new. Throws problems. */
  answer(): MaybePromise<Sendable>
}

/** The endpoints of an app by their paths, and what they share. */
export interface Switchboard {
  add(address: Address): void
  /** Has the answers ready that an endpoint's declared paths give without parameters, in every coding. */
  prepare(tag: string): Promise<void>
  /** The address that a path leads to, where the path is written plainly: without percent-encoding or needless slashes. */
  at(path: string): Destination | undefined
  readonly costlyAnswers: Answers
  readonly cheapAnswers: Answers
  readonly admission: Admission
  /** Notes the headers that hooks have given to an answer before its endpoint was asked: every answer has them. */
  learnCommonHeaders(reply: FastifyReply): void
  /** Those headers as names and values in turn; undefined until they are learnt. */
  commonHeaders(): readonly string[] | undefined
}

declare module 'fastify' {
  interface FastifyInstance {
    switchboard: Switchboard
  }
}

/** Lists are few, so this is room enough for all of them, whatever is asked. */
const CHEAP_ANSWERS_BYTES = 16 * 2 ** 20

/** Starts an empty switchboard. `answerCacheBytes` bounds the answers that are costly to make. */
export function createSwitchboard(options: {
  answerCacheBytes: number
  admission?: AdmissionOptions
}): Switchboard {
  const byPath = new Map<string, Destination>()
  const patterns: { readonly pattern: RegExp; readonly address: Address }[] = []
  let common: readonly string[] | undefined
  return {
    add(address) {
      if (address.path.includes(':')) patterns.push({ pattern: patternOf(address.path), address })
      else byPath.set(address.path, { address, params: {} })
    },
    at: path => byPath.get(path) ?? matching(patterns, path),
    async prepare(tag) {
      for (const { address } of byPath.values()) if (address.tag === tag) await makeReady(address)
    },
    costlyAnswers: createAnswers({ maxBytes: options.answerCacheBytes }),
    cheapAnswers: createAnswers({ maxBytes: CHEAP_ANSWERS_BYTES }),
    admission: createAdmission(options.admission),
    learnCommonHeaders(reply) {
      // While the service stops, every answer also closes its connection.
      if (common !== undefined || reply.hasHeader('connection')) return
      common = Object.entries(reply.getHeaders()).flatMap(([name, value]) => [name, String(value)])
    },
    commonHeaders: () => common,
  }
}

/** Matches what a declared path with variable parts stands for, as far as it is written plainly. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[\\w.~-]{1,100})')}$`)
}

function matching(
  patterns: readonly { readonly pattern: RegExp; readonly address: Address }[],
  path: string,
): Destination | undefined {
  for (const { pattern, address } of patterns) {
    const match = pattern.exec(path)
    if (match !== null) return { address, params: match.groups ?? {} }
  }
  return undefined
}

/** What cannot be answered now is left for when it is asked. */
async function makeReady(address: Address): Promise<void> {
  try {
    const answer = await address.ask(address.path, {}).answer()
    for (const coding of CODINGS) await answer.outcome({ 'accept-encoding': coding })
  } catch {}
}
