import type { ImportStatistics } from '../../../releases/import/statistics.ts'
import { isBlank } from '../../../sources/blank.ts'
import { fold } from '../../../sources/columns.ts'
import type { CsvLine } from '../../../sources/csv-lines.ts'
import { Refusal } from '../../../sources/refusal.ts'
import {
  type CarParkIndex,
  type FileCarPark,
  indexCarParks,
  type KnownCarPark,
  UnknownCarParkError,
} from './car-park-index.ts'
import { type Header, nameMap, readHeader } from './header.ts'
import { createReadingTable, type ReadingTable } from './reading-table.ts'
import { type Count, longRows, type Taken, type TakeRow, wideRows } from './row-taker.ts'

/** The rows of a file, before its local times become instants. */
export interface FileRows {
  readonly table: ReadingTable
  readonly carParks: readonly FileCarPark[]
  /** The statuses by number; 0 is none. */
  readonly statuses: readonly (string | null)[]
  readonly timeColumn: string
  readonly ignoredColumns: readonly string[]
}

/** The options of reading the lines of a file. */
export interface FileRowsOptions {
  /** The known car parks; without them a name in upper case and without blanks is the code. */
  readonly carParks?: readonly KnownCarPark[]
  /** By the file's name of a column or car park: a column's usual name, a car park's code, or `-` to leave it out. */
  readonly map?: ReadonlyMap<string, string>
  /** Called periodically with the number of rows read. */
  readonly onProgress?: (rows: number) => void
}

const ROWS_BETWEEN_PROGRESS = 1000

/** Reads all lines of a file, in either form. Throws {@link Refusal}. */
export async function readFileRows(
  pieces: AsyncIterable<readonly CsvLine[]>,
  { carParks, map = new Map(), onProgress }: FileRowsOptions,
  statistics: ImportStatistics,
): Promise<FileRows> {
  const names = nameMap(map)
  const index = indexCarParks(carParks, names)
  const taken: Taken = { table: createReadingTable(), carParks: index, statuses: [null], statistics }
  let header: Header | undefined
  let take: TakeRow = () => {}
  let rows = 0
  for await (const lines of pieces)
    for (const line of lines) {
      if (line.cells.every(isBlank)) continue
      if (header === undefined) {
        header = readHeader(line.cells, names)
        requireMapped(map, header)
        take = isLong(header) ? longRows(header, taken) : wideRows(header, countsOf(header, index), taken)
        continue
      }
      take(line)
      if (++rows % ROWS_BETWEEN_PROGRESS === 0) onProgress?.(rows)
    }
  if (header === undefined) throw new Refusal('the source is empty; nothing was read from it')
  const nameOf = (place: number) => header?.names[place] ?? ''
  return {
    table: taken.table,
    carParks: index.carParks,
    statuses: taken.statuses,
    timeColumn: nameOf(header.fields.get('at') ?? -1),
    ignoredColumns: isLong(header) ? header.others.map(nameOf) : [],
  }
}

const isLong = ({ fields }: Header) => fields.has('spaces')

/** The columns of car parks. Throws {@link Refusal} where two are one car park's. */
function countsOf({ names, others }: Header, carParks: CarParkIndex): Count[] {
  requireKnown(
    others.map(place => names[place] ?? ''),
    carParks,
  )
  const columns = new Map<number, string>()
  return others.flatMap(place => {
    const name = names[place] ?? ''
    const carPark = carParks.byName(name)
    if (carPark === undefined) return []
    const before = columns.get(carPark)
    if (before !== undefined)
      throw new Refusal(
        `"${before}" and "${name}" are both the car park ${carParks.carParks[carPark]?.code}; leave one out with --map "${name}=-"`,
      )
    columns.set(carPark, name)
    return [{ place, carPark }]
  })
}

/** Names all columns without a known car park at once. */
function requireKnown(names: readonly string[], carParks: CarParkIndex): void {
  const unknown: UnknownCarParkError[] = []
  for (const name of names) {
    try {
      carParks.byName(name)
    } catch (error) {
      if (!(error instanceof UnknownCarParkError)) throw error
      unknown.push(error)
    }
  }
  const [first, ...others] = unknown
  if (first === undefined) return
  if (others.length === 0) throw first
  const options = unknown.map(({ option }) => option).join(' ')
  throw new Refusal(`${first.message}; all ${unknown.length} that are not known: ${options}`)
}

/** In a file of codes or names, a mapped name may be one of them; else it must be a column. */
function requireMapped(map: ReadonlyMap<string, string>, header: Header): void {
  if (isLong(header)) return
  const found = new Set(header.names.map(fold))
  for (const name of map.keys())
    if (!found.has(fold(name)))
      throw new Refusal(
        `--map names "${name}", which the file does not have; its columns are ${header.names.join(', ')}`,
      )
}
