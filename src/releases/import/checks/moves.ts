import { distanceMetres, type Point } from '../../../query/geometry.ts'
import type { Limits } from './limits.ts'
import type { Exchange, Move } from './losses.ts'

interface Moved extends Move {
  readonly from: Point
  readonly to: Point
}

/** Finds how places move: fed with the positions of each place that is on the island before and now. */
export function createMoves({ near, movedFar, shifted }: Pick<Limits, 'near' | 'movedFar' | 'shifted'>) {
  const all: Moved[] = []
  let placed = 0
  return {
    /** The metres, if they are many. */
    add(id: string, name: string, from: Point, to: Point): number | undefined {
      placed++
      if (spotOf(from) === spotOf(to)) return undefined
      const metres = Math.round(distanceMetres(from, to))
      all.push({ id, name, metres, from, to })
      return metres > near.metres ? metres : undefined
    },
    found: () => ({
      placed,
      moved: all
        .filter(({ metres }) => metres > near.metres)
        .map(({ id, name, metres }): Move => ({ id, name, metres })),
      movedFar: all.filter(({ metres }) => metres > movedFar.metres).length,
      exchanged: exchangesOf(all),
      shiftedMetres: shiftOf(all, placed, shifted),
    }),
  }
}

/** A position to the metre. */
const spotOf = ({ latitude, longitude }: Point) => `${latitude.toFixed(5)} ${longitude.toFixed(5)}`

/** The places that are where another one was that has moved too. */
function exchangesOf(moves: readonly Moved[]): Exchange[] {
  const left = new Map(moves.map(move => [spotOf(move.from), move]))
  return moves.flatMap(({ id, name, to }) => {
    const other = left.get(spotOf(to))
    return other === undefined || other.id === id ? [] : [{ id, name, of: other.name }]
  })
}

/** Moves that differ by less than this share of the length are one vector: sources round their coordinates. */
const ALIKE = 1 / 10

/** The length of the vector by which nearly all places move; null where there is none, or it is short. */
function shiftOf(moves: readonly Moved[], placed: number, { least, share, metres }: Limits['shifted']) {
  const middle = (of: keyof Point) =>
    moves.map(({ from, to }) => to[of] - from[of]).toSorted((one, other) => one - other)[moves.length >> 1] ??
    0
  const [north, east] = [middle('latitude'), middle('longitude')]
  const toShifted = ({ latitude, longitude }: Point, to: Point) =>
    distanceMetres({ latitude: latitude + north, longitude: longitude + east }, to)
  const length = Math.round(moves[0] === undefined ? 0 : toShifted(moves[0].from, moves[0].from))
  const alike = moves.filter(({ from, to }) => toShifted(from, to) <= length * ALIKE)
  return length >= metres && alike.length >= Math.max(least, placed * share) ? length : null
}
