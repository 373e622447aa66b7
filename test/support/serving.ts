import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readlink } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { Agent, request } from 'undici'
import { type Series, seriesOf } from './series.ts'
import { until } from './until.ts'

/** A line of the service's log. */
export interface LogLine {
  readonly level: number
  readonly msg: string
  readonly [field: string]: unknown
}

/** What came of a question. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** A running service of its own process. */
export interface Serving {
  readonly url: string
  /** Where the admin listener listens; empty where it is off. */
  readonly adminUrl: string
  readonly child: ChildProcessWithoutNullStreams
  /** The log so far. */
  readonly log: readonly LogLine[]
  /** Asks the public listener. */
  get(path: string): Promise<Answer>
  /** Asks the admin listener. */
  admin(path: string): Promise<Answer>
  /** Its metrics now. */
  metrics(): Promise<Series>
  /** Names of the files that the process holds open. */
  openFiles(): Promise<string[]>
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<{ status: number | null; seconds: number }>
}

/** Waits until a process that serves listens; fails with what it wrote if it ends before. `keeps` says which lines to keep. */
export async function watchServing(
  t: TestContext,
  child: ChildProcessWithoutNullStreams,
  patienceMs?: number,
  keeps: (line: string) => boolean = () => true,
): Promise<Serving> {
  const log: LogLine[] = []
  const agent = new Agent()
  t.after(() => agent.destroy())
  createInterface(child.stdout).on('line', line => {
    if (line.startsWith('{') && keeps(line)) log.push(JSON.parse(line))
  })
  const stderr = text(child.stderr)
  const listening = await until(
    async () => {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${await stderr}`)
      return log.find(({ msg }) => msg === 'listening')
    },
    'listening',
    patienceMs,
  )
  const url = String(listening.url)
  const adminUrl = String(listening.adminUrl ?? '')
  return {
    ...{ url, adminUrl, child, log },
    get: path => ask(agent, url + path),
    admin: path => ask(agent, adminUrl + path),
    metrics: async () => seriesOf((await ask(agent, `${adminUrl}/metrics`)).text),
    openFiles: () => openFiles(child.pid),
    async stop(signal = 'SIGTERM') {
      const gone = once(child, 'exit')
      const asked = performance.now()
      child.kill(signal)
      const [status] = await gone
      return { status, seconds: (performance.now() - asked) / 1000 }
    },
  }
}

/** Asks once and reads the whole answer, brotli too. */
export async function ask(
  agent: Agent,
  url: string,
  asked: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { statusCode, headers, body } = await request(url, { dispatcher: agent, headers: asked })
  const text =
    headers['content-encoding'] === 'br'
      ? brotliDecompressSync(await body.arrayBuffer()).toString()
      : await body.text()
  return { status: statusCode, headers, text }
}

async function openFiles(pid: number | undefined): Promise<string[]> {
  const folder = `/proc/${pid}/fd`
  const names = await readdir(folder)
  const links = await Promise.all(names.map(name => readlink(`${folder}/${name}`).catch(() => undefined)))
  return links.filter(link => link !== undefined)
}
