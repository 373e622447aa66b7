import type { FastifyReply } from 'fastify'
import { type Admission, type AdmissionOptions, createAdmission } from './admission.ts'
import { type Answers, createAnswers } from './answers.ts'
import type { Sendable } from './outcome.ts'
import type { Parameters, ParsedQuery } from './parameters.ts'

/** An endpoint at one of its paths. */
export interface Address {
  /** As the endpoint is declared: variable parts are `:name`. */
  readonly path: string
  /** True where everybody may ask as often as they like, so that no hook need look at the request. */
  readonly isOpen: boolean
  /** Where answers of this address are kept. */
  readonly answers: Answers
  /** Reads what is asked. Throws the problem INVALID_PARAMETER. */
  ask(url: string, params: Readonly<Record<string, string>>): Question
}

/** What is asked of an address, read. */
export interface Question {
  /** Parameters that are not known there. */
  readonly ignored: ParsedQuery<Parameters>['ignored']
  /** The key under which the answer is kept; absent where none is. */
  readonly key?: string
  /** Gives the answer, kept or new. Throws problems. */
  answer(): Sendable | Promise<Sendable>
}

/** The endpoints of an app by their paths, and what they share. */
export interface Switchboard {
  add(address: Address): void
  /** The address at a path without variable parts. */
  at(path: string): Address | undefined
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
  const byPath = new Map<string, Address>()
  let common: readonly string[] | undefined
  return {
    add: address => byPath.set(address.path, address),
    at: path => byPath.get(path),
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
