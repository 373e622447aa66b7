import { type ImportStatistics, recordRejection } from '../../../releases/import/report.ts'
import { fold, LONGEST_NAME } from '../../../sources/columns.ts'
import type { CsvLine } from '../../../sources/csv/csv-lines.ts'
import { isBlank, Refusal } from '../../../sources/source-row.ts'
import { cut } from '../../../values/text.ts'
import { MalformedEntryError, readSpaces, readText } from '../../feed/mapping/entry.ts'
import {
  type CarParkIndex,
  type FileCarPark,
  indexCarParks,
  type KnownCarPark,
  UnknownCarParkError,
} from './car-park-index.ts'
import { type Field, type Header, nameMap, readHeader } from './header.ts'
import { addReading, createReadingTable, type ReadingTable } from './reading-table.ts'
import { parseTime, TIME_FORMS } from './times/time-text.ts'

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
const MOST_STATUSES = 1000

/** Reads all lines of a file, in either form. Throws {@link Refusal}. */
export async function readFileRows(
  pieces: AsyncIterable<readonly CsvLine[]>,
  { carParks, map = new Map(), onProgress }: FileRowsOptions,
  statistics: ImportStatistics,
): Promise<FileRows> {
  const names = nameMap(map)
  const index = indexCarParks(carParks, names)
  const table = createReadingTable()
  const statuses: (string | null)[] = [null]
  let header: Header | undefined
  let take: (row: CsvLine) => void = () => {}
  let rows = 0
  for await (const lines of pieces)
    for (const line of lines) {
      if (line.cells.every(isBlank)) continue
      if (header === undefined) {
        header = readHeader(line.cells, names)
        requireMapped(map, header)
        take = rowTaker(header, { table, index, statuses, statistics })
        continue
      }
      take(line)
      if (++rows % ROWS_BETWEEN_PROGRESS === 0) onProgress?.(rows)
    }
  if (header === undefined) throw new Refusal('the source is empty; nothing was read from it')
  const nameOf = (place: number) => header?.names[place] ?? ''
  return {
    ...{ table, statuses, carParks: index.carParks },
    timeColumn: nameOf(header.fields.get('at') ?? -1),
    ignoredColumns: isLong(header) ? header.others.map(nameOf) : [],
  }
}

/** Whether each row has one reading; else it has a column for each car park. */
const isLong = ({ fields }: Header) => fields.has('spaces')

/** The place of a count in its row, and the number of its car park. */
interface Count {
  readonly place: number
  readonly carPark: number
}

interface Taken {
  readonly table: ReadingTable
  readonly index: CarParkIndex
  readonly statuses: (string | null)[]
  readonly statistics: ImportStatistics
}

/** Creates a function that adds the readings of a row to the table, by the feed's own rules for its cells. */
function rowTaker(header: Header, { table, index, statuses, statistics }: Taken): (row: CsvLine) => void {
  const { fields, names } = header
  const columns = isLong(header) ? undefined : countsOf(header, index)
  const read = new Set([...fields.values(), ...(columns ?? []).map(({ place }) => place)])
  const statusNumbers = new Map<string, number>([['', 0]])
  let cells: readonly string[] = []
  /** The place of the cell that is being read; undefined for the row as a whole. */
  let place: number | undefined
  let lastTime: { text: string; time: ReturnType<typeof parseTime> } | undefined

  /** The text of a field's cell; blank where the file has no such column. */
  function cell(field: Field): string {
    place = fields.get(field)
    return place === undefined ? '' : (cells[place]?.trim() ?? '')
  }

  function counts(): readonly Count[] {
    // A blank cell of a car park's column is not a reading.
    if (columns !== undefined) return columns.filter(column => !isBlank(cells[column.place]))
    const name = cell('name')
    const code = fields.has('code') ? cell('code') : undefined
    if (name === '' && code === undefined) throw new MalformedEntryError('is blank')
    const carPark = code === undefined ? index.byName(name) : index.byCode(code, name || code)
    return carPark === undefined ? [] : [{ place: fields.get('spaces') ?? -1, carPark }]
  }

  function time() {
    const text = cell('at')
    // Consecutive rows often have the same time.
    if (text !== lastTime?.text) lastTime = { text, time: parseTime(text) }
    if (lastTime.time === undefined) throw new MalformedEntryError(TIME_FORMS)
    return lastTime.time
  }

  function open(): boolean | null {
    const found = OPEN.get(cell('open').toLowerCase())
    if (found === undefined) throw new MalformedEntryError('must be True, False, 1, 0 or blank')
    return found
  }

  function status(): number {
    const text = cell('status')
    const before = statusNumbers.get(text)
    if (before !== undefined) return before
    if (statuses.length > MOST_STATUSES)
      throw new MalformedEntryError(`is one of more than ${MOST_STATUSES} different values`)
    statuses.push(readText({ status: text }, 'status'))
    statusNumbers.set(text, statuses.length - 1)
    return statuses.length - 1
  }

  /** Records rejected readings of a line as one issue. */
  function reject(line: number, readings: number, error: unknown): void {
    if (!(error instanceof MalformedEntryError)) throw error
    if (readings === 0) return
    const column = place === undefined ? null : (names[place] ?? null)
    const value = place === undefined ? cells.join(',') : (cells[place] ?? null)
    recordRejection(statistics, {
      line,
      column,
      value: value === null ? null : cut(value, LONGEST_NAME),
      reason: error.message,
    })
    statistics.rejected += readings - 1
  }

  return row => {
    const { line } = row
    let found: readonly Count[] | undefined
    cells = row.cells
    place = undefined
    try {
      if (cells.length !== names.length)
        throw new MalformedEntryError(`has ${cells.length} columns, but the header has ${names.length}`)
      for (const [at, reason] of row.faults ?? []) {
        place = at
        if (read.has(at)) throw new MalformedEntryError(reason)
      }
      place = undefined
      found = counts()
      const shared = { ...time(), open: open(), status: status(), line }
      for (const { place: at, carPark } of found)
        try {
          place = at
          addReading(table, { ...shared, carPark, spaces: readSpaces(cells[at]) })
        } catch (error) {
          reject(line, 1, error)
        }
    } catch (error) {
      reject(line, found?.length ?? 1, error)
    }
    statistics.read += found?.length ?? 1
  }
}

const OPEN: ReadonlyMap<string, boolean | null> = new Map([
  ['', null],
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** The columns of car parks. Throws {@link Refusal} where two are one car park's, or with all that are not known. */
function countsOf({ names, others }: Header, index: CarParkIndex): Count[] {
  const unknown: UnknownCarParkError[] = []
  const columns = new Map<number, number>()
  for (const place of others) {
    const name = names[place] ?? ''
    try {
      const carPark = index.byName(name)
      if (carPark === undefined) continue
      const before = columns.get(carPark)
      if (before !== undefined)
        throw new Refusal(
          `"${names[before]}" and "${name}" are both the car park ${index.carParks[carPark]?.code}; leave one out with --map "${name}=-"`,
        )
      columns.set(carPark, place)
    } catch (error) {
      if (!(error instanceof UnknownCarParkError)) throw error
      unknown.push(error)
    }
  }
  const [first, ...more] = unknown
  if (first === undefined) return [...columns].map(([carPark, place]) => ({ place, carPark }))
  if (more.length === 0) throw first
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
