import { type ImportStatistics, recordWarning } from '../../../releases/import/report.ts'
import { fold, namesFound } from '../../../sources/columns.ts'
import { Refusal } from '../../../sources/source-row.ts'
import { memoise } from '../../../values/memoise.ts'
import { nearest } from '../../../values/text.ts'
import { MalformedEntryError, readEntry } from '../../feed/mapping.ts'
import { type HistoryHeader, LEFT_OUT } from './header.ts'

/** A car park that is known before the import. */
export interface KnownCarPark {
  readonly code: string
  /** All names. The name of the stored readings comes first. */
  readonly names: readonly string[]
}

/** A car park of the file, with the number of its accepted readings. */
export interface FileCarPark {
  readonly code: string
  readonly name: string
  readings: number
}

/** The most entries of the feed. */
const MOST_CAR_PARKS = 500

/** Finds car parks by the names and codes of a file, and lists the car parks found. */
export type CarParkIndex = ReturnType<typeof indexCarParks>

/** Creates an index. It warns of unknown codes. Without known car parks, the code is the name in upper case without blanks. */
export function indexCarParks(
  given: readonly KnownCarPark[] | undefined,
  { map }: HistoryHeader,
  statistics: ImportStatistics,
) {
  const known = given ?? []
  const carParks = new Map<string, FileCarPark>()

  const codeOf = memoise((text: string) => map.get(fold(text)) ?? codeByKnown(text) ?? text)
  const codeOfName = (name: string): string | undefined =>
    map.get(fold(name)) ?? (given === undefined ? asCode(name) : (codeByKnown(name) ?? codeByBeginning(name)))

  /** The code of the known car park with this code, or else with this name. */
  function codeByKnown(text: string): string | undefined {
    const isSame = (other: string) => fold(other) === fold(text)
    return (known.find(({ code }) => isSame(code)) ?? known.find(({ names }) => names.some(isSame)))?.code
  }

  /** "Green Street" is "Green Street MS", if no other name begins so. */
  function codeByBeginning(text: string): string | undefined {
    const beginning = wordsOf(text)
    const alike = known.filter(({ names }) => names.some(name => wordsOf(name).startsWith(beginning)))
    return alike.length === 1 ? alike[0]?.code : undefined
  }

  /** The code of the known car park whose code or name is spelt most alike. */
  function nearestCode(text: string): string | undefined {
    const codes = new Map(known.flatMap(({ code, names }) => [code, ...names].map(each => [each, code])))
    return codes.get(nearest(text, codes.keys()) ?? '')
  }

  /** The car park of a code; undefined if it is left out. Throws `MalformedEntryError`. */
  function carParkOf(code: string, name: string): FileCarPark | undefined {
    if (code === LEFT_OUT) return undefined
    const key = code.toUpperCase()
    const before = carParks.get(key)
    if (before !== undefined) return before
    if (carParks.size === MOST_CAR_PARKS)
      throw new Refusal(`the file has more than ${MOST_CAR_PARKS} car parks; is it the right file?`)
    const park = known.find(each => each.code.toUpperCase() === key)
    // The feed's own rules for code and name.
    const entry = readEntry({ code, name, spaces: 0, status: 'unknown', carparkOpen: true })
    if (given !== undefined && park === undefined) warnOfUnknown(entry.code)
    const carPark = { code: park?.code ?? entry.code, name: park?.names[0] ?? entry.name, readings: 0 }
    carParks.set(key, carPark)
    return carPark
  }

  function warnOfUnknown(code: string): void {
    const meant = nearestCode(code)
    const reason = `is not the code of a known car park${meant === undefined ? '' : `; ${meant} may be meant`}`
    recordWarning(statistics, { line: null, column: null, value: code, reason })
  }

  function unknownCarParks(unknown: readonly string[]): Refusal {
    const all = unknown.map(name => `"${name}"`).join(', ')
    const are = unknown.length === 1 ? 'is not a known car park' : 'are not known car parks'
    if (known.length === 0)
      return new Refusal(
        `${all} ${are}, as no car park has been published: import car parks with codes first: pds import carparks <file>`,
      )
    const found = namesFound(known.map(({ code, names }) => `${code} ${names[0] ?? ''}`.trim()))
    const options = unknown.map(name => `--map "${name}=${nearestCode(name) ?? asCode(name)}"`)
    return new Refusal(
      `${all} ${are} (${found}): give each its code with ${options.join(' ')}, or leave it out with --map "${unknown[0]}=${LEFT_OUT}"`,
    )
  }

  return {
    /** The car parks found so far, in the order of the file. */
    carParks: () => [...carParks.values()],
    /** The car park of a code; undefined if it is left out. `name` is for an unknown car park. Throws `MalformedEntryError`. */
    byCode: (code: string, name: string) => carParkOf(codeOf(code), name),
    /** The car parks of names; undefined for a car park that is left out. Throws one {@link Refusal} for all unknown names. */
    byName(...names: readonly string[]): (FileCarPark | undefined)[] {
      const codes = names.map(codeOfName)
      const unknown = names.filter((_, at) => codes[at] === undefined)
      if (unknown.length > 0) throw unknownCarParks(unknown)
      return names.map((name, at) => {
        try {
          return carParkOf(codes[at] ?? '', name)
        } catch (error) {
          if (!(error instanceof MalformedEntryError)) throw error
          throw new Refusal(`"${name}" cannot be a car park: ${error.message}; give its code with --map`)
        }
      })
    },
  }
}

const asCode = (name: string) => name.toUpperCase().replace(/\s+/g, '')

/** The words of a name, with a blank after each. */
const wordsOf = (name: string) =>
  `${name
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()} `
