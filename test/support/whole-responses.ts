import type { TestContext } from 'node:test'
import { Agent, request } from 'undici'

export type Headers = Readonly<Record<string, string>>

/** A response with its body as it was sent, still in its content coding. */
export interface Got {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
}

/** Asks at an address over connections that close with the test. */
export function clientOf(t: TestContext, origin: string) {
  const agent = new Agent()
  t.after(() => agent.destroy())
  return async (path: string, headers: Headers = {}, method: 'GET' | 'HEAD' = 'GET'): Promise<Got> => {
    const answer = await request(origin + path, { dispatcher: agent, method, headers })
    const body = Buffer.from(await answer.body.arrayBuffer())
    return { status: answer.statusCode, headers: answer.headers as Headers, body }
  }
}

/** How the committed nginx came by a response. */
export const cacheStatus = ({ headers }: Got) => headers['x-cache-status']
