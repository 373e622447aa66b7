import { fold, LONGEST_NAME, namesFound } from '../../../sources/columns.ts'
import { Refusal } from '../../../sources/source-row.ts'
import { cut } from '../../../values/text.ts'

/** The column names of each field besides the counts of one car park; compared without case, blanks and punctuation. */
const NAMES = {
  at: ['at', 'timestamp', 'date time', 'updated', 'updated at'],
  date: ['date'],
  time: ['time'],
  code: ['code', 'carpark code', 'car park code', 'tracking code', 'live tracking code'],
  name: ['name', 'carpark', 'car park', 'carpark name', 'car park name'],
  spaces: ['spaces', 'available spaces', 'spaces available', 'free spaces', 'free'],
  open: ['open', 'carpark open', 'car park open', 'is open'],
  status: ['status'],
} as const

export type HistoryField = keyof typeof NAMES

/** Replaces a field or a code, and leaves the column or car park out. */
export const LEFT_OUT = '-'

const FIELDS = new Map(
  Object.entries(NAMES).flatMap(([field, names]) => names.map(name => [fold(name), field as HistoryField])),
)

/** The columns of a file. */
export interface HistoryHeader {
  readonly names: readonly string[]
  /** The operator's meaning of the file's names: a field, the code of a car park, or `-`, by the folded name. */
  readonly map: ReadonlyMap<string, string>
  readonly fields: ReadonlyMap<HistoryField, number>
  /** The columns of the time: one column, or a column of the date and a column of the time of day. */
  readonly times: readonly number[]
  /** The other columns: in a file without a column of spaces, one for each car park. */
  readonly others: readonly { readonly name: string; readonly place: number }[]
}

/** Reads the first line of a file. Throws {@link Refusal} if the line is not the header of a history of free spaces. */
export function readHeader(cells: readonly string[], mapped: ReadonlyMap<string, string>): HistoryHeader {
  const names = cells.map(cell => cut(cell.trim(), LONGEST_NAME))
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) !== at)
  if (twice !== undefined)
    throw new Refusal(`the header has the column "${twice}" twice; rename or remove one`)
  const map = new Map([...mapped].map(([name, value]) => [fold(name), value]))
  const isMapped = (name: string) => map.has(fold(name))
  const fields = new Map<HistoryField, number>()
  const others: { name: string; place: number }[] = []
  for (const [place, name] of names.entries()) {
    const meant = map.get(fold(name)) ?? name
    if (name === '' || meant === LEFT_OUT) continue
    const field = FIELDS.get(fold(meant))
    if (field === undefined) {
      others.push({ name, place })
      continue
    }
    const before = names[fields.get(field) ?? -1]
    // If two columns are for one field, the operator's choice goes first.
    if (before === undefined || (isMapped(name) && !isMapped(before))) fields.set(field, place)
    else if (isMapped(name) === isMapped(before)) throw bothMean(before, name, field)
  }
  const times = (['at', 'date', 'time'] as const).flatMap(field => fields.get(field) ?? [])
  const [one = 0, other = 0] = times
  if (fields.has('at') && times.length > 1) throw bothMean(names[one], names[other], 'at')
  const header = { names, map, fields, times, others }
  requireFields(header)
  requireColumns([...mapped.keys()], header)
  return header
}

const bothMean = (one: string | undefined, other: string | undefined, field: string) =>
  new Refusal(`"${one}" and "${other}" both mean ${field}; leave one out with --map "${other}=${LEFT_OUT}"`)

function requireFields({ names, fields, times }: HistoryHeader): void {
  const found = `its columns are ${namesFound(names)}`
  if (times.length === 0)
    throw new Refusal(
      `the file has no column of times; ${found}; name the right one with --map "COLUMN=timestamp"`,
    )
  const isOfCarParks = fields.has('code') || fields.has('name')
  if (isOfCarParks && !fields.has('spaces'))
    throw new Refusal(
      `the file has no column of free spaces; ${found}; name the right one with --map "COLUMN=spaces"`,
    )
  if (fields.has('spaces') && !isOfCarParks)
    throw new Refusal(
      `the file does not say which car park its spaces belong to; ${found}; name a column of codes with --map "COLUMN=code", or make this one car park's with --map "${names[fields.get('spaces') ?? 0]}=CODE"`,
    )
}

/** In a file of codes or names, a mapped name may be a code or name; otherwise it must be a column. */
function requireColumns(mapped: readonly string[], { names, fields }: HistoryHeader): void {
  const found = new Set(names.map(fold))
  const absent = mapped.find(name => !found.has(fold(name)))
  if (absent !== undefined && !fields.has('spaces'))
    throw new Refusal(
      `--map names "${absent}", which the file does not have; its columns are ${namesFound(names)}`,
    )
}
