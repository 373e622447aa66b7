import { fold, namesFound } from '../../../sources/columns.ts'
import { Refusal } from '../../../sources/source-row.ts'
import { nearest } from '../../../values/text.ts'
import { MalformedEntryError, readEntry } from '../../feed/mapping/entry.ts'
import { LEFT_OUT, type NameMap } from './header.ts'

/** A car park that is known before the import. */
export interface KnownCarPark {
  readonly code: string
  /** Its names, the one of its readings first. */
  readonly names: readonly string[]
}

/** A car park of the file. */
export interface FileCarPark {
  readonly code: string
  readonly name: string
  readonly isKnown: boolean
  /** The code of a known car park that may be meant by one that is not. */
  readonly meant: string | undefined
}

/** No known car park has a name of the file. */
export class UnknownCarParkError extends Refusal {
  override name = 'UnknownCarParkError'
  /** The option that names its code. */
  readonly option: string
  constructor(message: string, option: string) {
    super(message)
    this.option = option
  }
}

/** The most entries of the feed. */
const MOST_CAR_PARKS = 500

/** Finds car parks by the names and codes of a file, and numbers those that it has. */
export type CarParkIndex = ReturnType<typeof indexCarParks>

/** Creates an index. Without known car parks a name is the code, in upper case and without blanks. */
export function indexCarParks(known: readonly KnownCarPark[] | undefined, map: NameMap) {
  const carParks: FileCarPark[] = []
  const numbers = new Map<string, number>()

  function numberOf(code: string, name: string): number | undefined {
    if (code === LEFT_OUT) return undefined
    const before = numbers.get(code.toUpperCase())
    if (before !== undefined) return before
    if (carParks.length === MOST_CAR_PARKS)
      throw new Refusal(`the file has more than ${MOST_CAR_PARKS} car parks; is it the right file?`)
    const park = known?.find(each => each.code.toUpperCase() === code.toUpperCase())
    // The feed's own rules for code and name.
    const entry = readEntry({ code, name, spaces: 0, status: 'unknown', carparkOpen: true })
    numbers.set(code.toUpperCase(), carParks.length)
    carParks.push({
      code: park?.code ?? entry.code,
      name: park?.names[0] ?? entry.name,
      isKnown: known === undefined || park !== undefined,
      meant: park === undefined ? likelyMeant(code, known ?? [])?.code : undefined,
    })
    return carParks.length - 1
  }

  function byName(name: string): number | undefined {
    const code = map.get(fold(name)) ?? (known === undefined ? asCode(name) : codeOfName(name, known))
    try {
      return numberOf(code, name)
    } catch (error) {
      if (!(error instanceof MalformedEntryError)) throw error
      throw new Refusal(
        `"${name}" cannot be a car park: ${error.message}; give its code with --map "${name}=CODE"`,
      )
    }
  }

  function byCode(code: string, name: string): number | undefined {
    return numberOf(map.get(fold(code)) ?? sameAs(code, known ?? [])?.code ?? code, name)
  }

  return {
    /** In the order of the file. */
    carParks: carParks as readonly FileCarPark[],
    /** The number of the car park of a name; undefined if it is left out. Throws {@link Refusal} for an unknown name. */
    byName: onceEach(byName),
    /** The number of the car park of a code; `name` is for one that is not known. Throws `MalformedEntryError`. */
    byCode: onceEach(byCode),
  }
}

/** Looks each spelling up once; the rows of a file repeat a few. */
function onceEach<More extends unknown[]>(find: (text: string, ...more: More) => number | undefined) {
  const found = new Map<string, number | undefined>()
  return (text: string, ...more: More): number | undefined => {
    if (!found.has(text)) found.set(text, find(text, ...more))
    return found.get(text)
  }
}

const asCode = (name: string) => name.toUpperCase().replace(/\s+/g, '')

function codeOfName(name: string, known: readonly KnownCarPark[]): string {
  const park = sameAs(name, known) ?? onlyOneLike(name, known)
  if (park !== undefined) return park.code
  if (known.length === 0)
    throw new Refusal(
      `"${name}" is not a known car park, as there is none: publish car parks with codes first: pds import carparks <file>`,
    )
  const list = namesFound(known.map(({ code, names }) => `${code} ${names[0] ?? ''}`.trim()))
  const meant = likelyMeant(name, known)
  const code = meant?.code ?? asCode(name)
  throw new UnknownCarParkError(
    `"${name}" is not a known car park (${list})${meant === undefined ? '' : `; ${meant.code} may be meant`}: ` +
      `give its code with --map "${name}=${code}", or leave it out with --map "${name}=${LEFT_OUT}"`,
    `--map "${name}=${code}"`,
  )
}

/** The known car park that a text may mean: one whose name or code begins alike, blanks aside, else the nearest. */
function likelyMeant(text: string, known: readonly KnownCarPark[]): KnownCarPark | undefined {
  const bySpelling = new Map(known.flatMap(park => [park.code, ...park.names].map(each => [each, park])))
  const spellings = [...bySpelling.keys()]
  const alike = spellings.find(each => beginsAlike(fold(each), fold(text)))
  return bySpelling.get(alike ?? nearest(text, spellings) ?? '')
}

const beginsAlike = (one: string, other: string): boolean =>
  one !== '' && other !== '' && (one.startsWith(other) || other.startsWith(one))

const sameAs = (text: string, known: readonly KnownCarPark[]) =>
  known.find(({ code }) => fold(code) === fold(text)) ??
  known.find(({ names }) => names.some(name => fold(name) === fold(text)))

/** "Green Street" is "Green Street MS", if no other name begins so. */
function onlyOneLike(text: string, known: readonly KnownCarPark[]): KnownCarPark | undefined {
  const alike = known.filter(({ names }) => names.some(name => begins(name, text) || begins(text, name)))
  return alike.length === 1 ? alike[0] : undefined
}

function begins(long: string, short: string): boolean {
  const words = wordsOf(short)
  const first = wordsOf(long).slice(0, words.length)
  return words.length > 0 && words.every((word, at) => word === first[at])
}

const wordsOf = (text: string) =>
  text
    .split(/[^\p{L}\p{N}]+/u)
    .map(fold)
    .filter(word => word !== '')
