import { once } from 'node:events'
import { argv, exit, stdin, stdout } from 'node:process'
import { openConnection, requestBytes } from '../../bench/load/connection.ts'

/*
 * A program: one host that asks a service for much, each question another one. Arguments: port, local address, content coding,
 * name of the questions. It writes a line when all connections are open; told to end, a line with the number of answers by status.
 */

const CONNECTIONS = 400

const DAY_MS = 86_400_000

const dayOf = (n: number): string => String(1 + (n % 28)).padStart(2, '0')

/** Distinct paths by what they ask for; `n` counts. */
export const QUESTIONS = {
  'recalls of any limit': n => `/v1/product-recalls?limit=${1 + (n % 900)}&page=${1 + (n >> 10)}`,
  'deep pages of vehicles': n =>
    `/v1/vehicles?model=${'aeou'[n % 4]}&page=${n + 1}&startDate=1990-01-${dayOf(n)}`,
  'distinct histories': n =>
    `/v1/carparks/CHIMERAST/history?from=${new Date(Date.now() - DAY_MS - n * 1000).toISOString()}`,
  'odd spellings of a path': n =>
    `/v1/carparks/${[...'CHIMERAST'].map((letter, bit) => ((n >> bit) & 1 ? `%${letter.charCodeAt(0).toString(16)}` : letter)).join('')}/typical`,
  'paths that do not exist': n => `/v1/vehicels/${n}`,
  'queries full of errors': () => `/v1/vehicles?${'%&'.repeat(3600)}`,
} satisfies Record<string, (n: number) => string>

export type Question = keyof typeof QUESTIONS

async function flood(port: number, localAddress: string, coding: string, question: Question): Promise<void> {
  const answers: Record<string, number> = {}
  let asked = 0
  let open = 0
  for (let index = 0; index < CONNECTIONS; index++) {
    const send = () => {
      const path = QUESTIONS[question](asked++)
      connection.send(requestBytes(port, path, { 'Accept-Encoding': coding }))
    }
    const count = (what: string) => {
      answers[what] = (answers[what] ?? 0) + 1
    }
    const events = {
      ready() {
        if (++open === CONNECTIONS) stdout.write('open\n')
        send()
      },
      answered(status: number) {
        count(String(status))
        send()
      },
      failed: () => count('closed'),
    }
    const connection = openConnection(port, events, localAddress)
  }
  await once(stdin, 'data')
  stdout.write(`${JSON.stringify(answers)}\n`, () => exit())
}

const [, program, port, address = '', coding = '', question] = argv
if (program === import.meta.filename) await flood(Number(port), address, coding, question as Question)
