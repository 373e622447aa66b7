import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Answer } from '../load/answer.ts'
import { startNode } from './process.ts'
import type { Target } from './service.ts'

/** The bare server, for the process that started it. */
export interface Bare extends Target {
  /** Sets the answer to every request from now on. */
  answerWith(answer: Answer): Promise<void>
}

/** Starts the bare server of bare-server.ts. */
export async function startBare(cores: string | undefined): Promise<Bare> {
  const script = fileURLToPath(new URL('bare-server.ts', import.meta.url))
  const started = startNode(['--import', import.meta.resolve('tsx'), script], { cores, talks: true })
  const { child } = started
  const listening = once(child, 'message')
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the bare server ended:\n${started.output()}`)
  })
  ended.catch(() => {})
  const [port] = (await Promise.race([listening, ended])) as [number]
  return {
    ...started,
    name: 'bare',
    port,
    async answerWith(answer) {
      const ready = once(child, 'message')
      child.send(answer)
      await Promise.race([ready, ended])
    },
  }
}
