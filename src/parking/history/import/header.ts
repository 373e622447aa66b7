import { fold, LONGEST_NAME, namesFound } from '../../../sources/columns.ts'
import { Refusal } from '../../../sources/source-row.ts'
import { cut } from '../../../values/text.ts'

/** The fields of a column besides the counts of one car park. */
export type Field = 'at' | 'code' | 'name' | 'spaces' | 'open' | 'status'

/** The column names of files; compared without case, blanks and punctuation. */
const NAMES: Readonly<Record<Field, readonly string[]>> = {
  at: ['at', 'date', 'time', 'timestamp', 'date time', 'updated', 'updated at'],
  code: ['code', 'carpark code', 'car park code', 'tracking code', 'live tracking code'],
  name: ['name', 'carpark', 'car park', 'carpark name', 'car park name'],
  spaces: ['spaces', 'available spaces', 'spaces available', 'free spaces', 'free'],
  open: ['open', 'carpark open', 'car park open', 'is open'],
  status: ['status'],
}

/** In place of a field or a code: leaves the column or car park out. */
export const LEFT_OUT = '-'

const FIELDS = new Map(
  Object.entries(NAMES).flatMap(([field, names]) => names.map(name => [fold(name), field as Field])),
)

/** The operator's meaning of the file's names: a field, the code of a car park, or `-`, by the folded name. */
export type NameMap = ReadonlyMap<string, string>

/** The places of a file's columns. */
export interface Header {
  readonly names: readonly string[]
  readonly fields: ReadonlyMap<Field, number>
  /** The other columns: in a file without a column of spaces, one for each car park. */
  readonly others: readonly number[]
}

/** The map of `--map` by folded names. */
export const nameMap = (map: ReadonlyMap<string, string>): NameMap =>
  new Map([...map].map(([name, value]) => [fold(name), value]))

/** The field that the operator, or else the name itself, makes of a column. */
function fieldOf(name: string, map: NameMap): Field | undefined {
  const mapped = map.get(fold(name))
  return FIELDS.get(fold(mapped ?? name))
}

/** Reads the first line of a file. Throws {@link Refusal} where it is not one of a history of free spaces. */
export function readHeader(cells: readonly string[], map: NameMap): Header {
  const names = cells.map(cell => cut(cell.trim(), LONGEST_NAME))
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) !== at)
  if (twice !== undefined)
    throw new Refusal(`the header has the column "${twice}" twice; rename or remove one`)
  const fields = new Map<Field, number>()
  const others: number[] = []
  for (const [place, name] of names.entries()) {
    if (name === '' || map.get(fold(name)) === LEFT_OUT) continue
    const field = fieldOf(name, map)
    if (field === undefined) others.push(place)
    else fields.set(field, chosen(field, fields.get(field), place, names, map))
  }
  requireFields(fields, names)
  return { names, fields, others }
}

/** Of two columns for one field, the one that the operator named. */
function chosen(
  field: Field,
  before: number | undefined,
  place: number,
  names: readonly string[],
  map: NameMap,
): number {
  if (before === undefined) return place
  const isMapped = (at: number) => map.has(fold(names[at] ?? ''))
  if (isMapped(before) !== isMapped(place)) return isMapped(before) ? before : place
  throw new Refusal(
    `"${names[before]}" and "${names[place]}" both mean ${field}; leave one out with --map "${names[place]}=${LEFT_OUT}"`,
  )
}

function requireFields(fields: ReadonlyMap<Field, number>, names: readonly string[]): void {
  const found = `its columns are ${namesFound(names)}`
  if (!fields.has('at'))
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
