import { get, type IncomingMessage } from 'node:http'
import type { Flags } from '../flags.ts'
import type { StreamFigures } from '../report/results.ts'
import { median, spread } from '../report/statistics.ts'
import { cpuSeconds } from '../servers/process.ts'
import { type ServiceOptions, startIdle, type Target } from '../servers/service.ts'

/** JSON comes first, because the others are compared with JSON. */
const FORMATS = ['json', 'csv', 'ndjson', 'parquet'] as const

/** The most entries of a page of JSON. */
const LONGEST_PAGE = 1_000_000

interface Read {
  readonly rows: number
  readonly bytes: number
  readonly seconds: number
  readonly cpuMicros: number
}

/** Reads the whole register in each format, one stream at a time, in turn. */
export async function measureStreams(
  options: ServiceOptions,
  { rows, rounds }: { rows: number } & Pick<Flags, 'rounds'>,
): Promise<StreamFigures[]> {
  const service = await startIdle(options)
  const streams = FORMATS.map(format => ({ format, reads: [] as Read[] }))
  // The first round only warms up: it compiles code and grows the heap.
  for (let round = 0; round <= rounds; round++)
    for (const { format, reads } of streams) {
      const read = await readWhole(service, format, rows)
      if (round > 0) reads.push(read)
    }
  await service.stop()
  return streams.map(({ format, reads }) => sumUp(format, reads, streams[0]?.reads ?? []))
}

function sumUp(format: string, reads: readonly Read[], json: readonly Read[]): StreamFigures {
  const rowsPerSecond = (read: Read | undefined) => (read ? read.rows / read.seconds : Number.NaN)
  return {
    format,
    bytes: reads[0]?.bytes ?? 0,
    rowsPerSecond: median(reads.map(rowsPerSecond)),
    bytesPerSecond: median(reads.map(({ bytes, seconds }) => bytes / seconds)),
    cpuMicros: median(reads.map(({ cpuMicros, rows }) => cpuMicros / rows)),
    ratio: spread(reads.map((read, round) => rowsPerSecond(read) / rowsPerSecond(json[round]))),
  }
}

async function readWhole({ port, pid }: Target, format: string, all: number): Promise<Read> {
  const rows = format === 'json' ? Math.min(all, LONGEST_PAGE) : all
  const path = format === 'json' ? `/v1/vehicles?limit=${rows}` : `/v1/vehicles.${format}`
  const [began, cpu] = [performance.now(), cpuSeconds(pid)]
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent: false }, resolve).on('error', reject)
  })
  if (response.statusCode !== 200) throw new Error(`${path}: status ${response.statusCode}`)
  let bytes = 0
  for await (const chunk of response) bytes += (chunk as Buffer).length
  const seconds = (performance.now() - began) / 1000
  return { rows, bytes, seconds, cpuMicros: (cpuSeconds(pid) - cpu) * 1e6 }
}
