import { log2Above, popcount } from './bits.ts'

/**
 * A sequence of numbers that finds the k-th smallest of any slice in one step per bit of the numbers.
 *
 * Each level, from the highest bit down, stores that bit of every number, then sorts the sequence stably by it, zeros
 * first. The numbers of ones before the ends of a slice give its position on the next level, so a level only needs to
 * count ones. A cell of three 32-bit words holds the number of ones before it, then 64 bits.
 */
export interface WaveletMatrix {
  readonly length: number
  readonly levels: number
  readonly cells: Uint32Array<ArrayBuffer>
  /** The number of zeros of each level, which is where its ones start on the next. */
  readonly zeros: Uint32Array<ArrayBuffer>
}

/** Builds the matrix of numbers that are all below `bound`. */
export function buildWaveletMatrix(numbers: Uint32Array, bound: number): WaveletMatrix {
  const { length } = numbers
  const levels = log2Above(bound)
  const stride = cellsOf(length) * 3
  const cells = new Uint32Array(levels * stride)
  const zeros = new Uint32Array(levels)
  let sequence = numbers
  let sorted = new Uint32Array(length)
  for (let level = 0; level < levels; level++) {
    const bit = levels - 1 - level
    const onesStart = fillLevel(cells.subarray(level * stride, (level + 1) * stride), sequence, bit)
    zeros[level] = onesStart
    sortByBit(sequence, bit, onesStart, sorted)
    const read = sequence
    sequence = sorted
    // The input stays unchanged, so the second level needs another array.
    sorted = read === numbers ? new Uint32Array(length) : (read as typeof sorted)
  }
  return { length, levels, cells, zeros }
}

/** Returns the k-th smallest, counted from 0, of the numbers in the slice [start, end), which has more than k. */
export function kthSmallest(matrix: WaveletMatrix, start: number, end: number, k: number): number {
  let from = start
  let to = end
  let left = k
  let number = 0
  for (let level = 0; level < matrix.levels; level++) {
    const onesBefore = onesUpTo(matrix, level, from)
    const onesWithin = onesUpTo(matrix, level, to) - onesBefore
    const zerosWithin = to - from - onesWithin
    if (left < zerosWithin) {
      from -= onesBefore
      to = from + zerosWithin
      number *= 2
    } else {
      left -= zerosWithin
      from = (matrix.zeros[level] as number) + onesBefore
      to = from + onesWithin
      number = number * 2 + 1
    }
  }
  return number
}

/** Counts the numbers below `bound` in the slice [start, end). */
export function countBelow(matrix: WaveletMatrix, start: number, end: number, bound: number): number {
  if (bound >= 2 ** matrix.levels) return end - start
  let from = start
  let to = end
  let count = 0
  for (let level = 0; level < matrix.levels && from < to; level++) {
    const onesBefore = onesUpTo(matrix, level, from)
    const onesWithin = onesUpTo(matrix, level, to) - onesBefore
    const zerosWithin = to - from - onesWithin
    if (((bound >>> (matrix.levels - 1 - level)) & 1) === 0) {
      from -= onesBefore
      to = from + zerosWithin
    } else {
      count += zerosWithin
      from = (matrix.zeros[level] as number) + onesBefore
      to = from + onesWithin
    }
  }
  return count
}

/** One more than the full cells, to hold the number of ones before the end of the sequence. */
const cellsOf = (length: number): number => (length >>> 6) + 1

function onesUpTo({ cells, length }: WaveletMatrix, level: number, at: number): number {
  const cell = (level * cellsOf(length) + (at >>> 6)) * 3
  const ones = cells[cell] as number
  const below = (1 << (at & 31)) - 1
  const low = cells[cell + 1] as number
  if ((at & 32) === 0) return ones + popcount(low & below)
  return ones + popcount(low) + popcount((cells[cell + 2] as number) & below)
}

/** Writes a level and returns the number of its zeros. */
function fillLevel(cells: Uint32Array, sequence: Uint32Array, bit: number): number {
  const { length } = sequence
  let ones = 0
  for (let cell = 0, at = 0; cell < cells.length; cell += 3) {
    cells[cell] = ones
    for (let word = cell + 1; word <= cell + 2; word++) {
      let bits = 0
      const end = Math.min(at + 32, length)
      for (let place = 0; at < end; at++, place++) bits |= (((sequence[at] as number) >>> bit) & 1) << place
      cells[word] = bits
      ones += popcount(bits)
    }
  }
  return length - ones
}

function sortByBit(sequence: Uint32Array, bit: number, zeros: number, sorted: Uint32Array): void {
  let zero = 0
  let one = zeros
  for (let at = 0; at < sequence.length; at++) {
    const number = sequence[at] as number
    if (((number >>> bit) & 1) === 0) sorted[zero++] = number
    else sorted[one++] = number
  }
}
