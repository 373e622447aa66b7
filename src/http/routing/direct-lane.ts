import type { IncomingHttpHeaders, IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { Problem, type ProblemCode } from '../../errors.ts'
import { chain, type MaybePromise } from '../../values/maybe-promise.ts'
import { accepts } from '../request/accept.ts'
import { pathOf } from '../request/query-string.ts'
import type { Outcome, Sendable } from '../response/outcome.ts'
import { PROBLEM_HEADERS, problemBody } from '../response/problem-response.ts'
import { keepFailure } from './failed-questions.ts'
import { isPlain } from './plain-request.ts'
import type { Address, Destination, Switchboard } from './switchboard.ts'

/** One answer that went past the framework, for the log and the metrics. */
export interface DirectAnswer {
  /** The path of the endpoint. */
  readonly route: string
  readonly url: string
  readonly status: number
  /** What was wrong, where it is an error. */
  readonly problem?: ProblemCode
  /** From the arrival of the request until its answer was handed to the socket. */
  readonly ms: number
}

/**
 * Answers plain requests that succeed past the framework, whose routing, hooks and replies cost several times what such
 * an answer does; and refuses there what admission turns away, for then little time is left. The rules are the same
 * either way, because both ask the same address and send the same outcome. All else, every other error among it, is left
 * to the framework as if it had just come.
 */
export function openDirectLane(
  server: Server,
  switchboard: Switchboard,
  { baseUrl, onAnswered }: { baseUrl: () => string; onAnswered: (answer: DirectAnswer) => void },
): void {
  const framework = server.listeners('request') as RequestListener[]
  const handOver = (request: IncomingMessage, response: ServerResponse): void => {
    for (const listener of framework) listener.call(server, request, response)
  }

  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const start = performance.now()
    const common = switchboard.commonHeaders()
    const asked = common && isPlain(request) ? openDestination(switchboard, request) : undefined
    if (common === undefined || asked === undefined) {
      handOver(request, response)
      return
    }

    const { url = '' } = request
    const send = (outcome: Outcome | undefined, problem?: ProblemCode): void => {
      if (outcome === undefined) {
        handOver(request, response)
        return
      }
      const { status, headers, body } = outcome
      response.writeHead(status, common.concat(headers))
      response.end(body)
      const ms = performance.now() - start
      onAnswered({ route: asked.address.path, url, status, ms, ...(problem && { problem }) })
    }
    const fail = (error: unknown): void => {
      if (error instanceof Problem && error.code === 'OVERLOADED') {
        send(refusal(error, problemBody(error, url, baseUrl()), common), error.code)
        return
      }
      keepFailure(request, error)
      handOver(request, response)
    }
    let outcome: MaybePromise<Outcome | undefined>
    try {
      outcome = outcomeAt(asked, request)
    } catch (error) {
      fail(error)
      return
    }
    if (outcome instanceof Promise) outcome.then(made => send(made), fail)
    else send(outcome)
  })
}

/** What goes out for a problem, without the headers that every answer carries. */
function refusal(problem: Problem, content: object, common: readonly string[]): Outcome {
  const body = Buffer.from(JSON.stringify(content))
  const own = { ...PROBLEM_HEADERS, ...problem.headers, 'content-length': String(body.length) }
  const headers = Object.entries(own).flatMap(header => (common.includes(header[0]) ? [] : header))
  return { status: problem.status, headers, body }
}

function openDestination(switchboard: Switchboard, { url = '' }: IncomingMessage): Destination | undefined {
  const destination = switchboard.at(pathOf(url))
  return destination?.address.isOpen ? destination : undefined
}

/** What an address answers; undefined where the framework must say what is ignored or not acceptable. Throws problems. */
function outcomeAt(
  { address, params }: Destination,
  { url = '', headers }: IncomingMessage,
): MaybePromise<Outcome | undefined> {
  const kept = address.answers.find(url)
  if (kept !== undefined) return acceptable(kept, headers)
  const asked = address.ask(url, params)
  if (asked.ignored.length > 0) return undefined
  return chain(asked.answer(), answer => acceptable(readyAt(address, url, asked.key, answer), headers))
}

/** The outcome of an answer of a type that is asked for. */
function acceptable(answer: Sendable, headers: IncomingHttpHeaders): MaybePromise<Outcome> | undefined {
  return accepts(headers.accept, answer.type) ? answer.outcome(headers) : undefined
}

/** Keeps an answer under the very words of the request too, so that the next time they need not be read. */
function readyAt({ answers }: Address, url: string, key: string | undefined, answer: Sendable): Sendable {
  if (key !== undefined) answers.alias(url, key)
  return answer
}
