import { percentile } from '../report/statistics.ts'

/** Collects times in milliseconds without making garbage during measurements. */
export class Latencies {
  #times = new Float64Array(1 << 16)
  #count = 0

  get count(): number {
    return this.#count
  }

  add(ms: number): void {
    if (this.#count === this.#times.length) {
      const larger = new Float64Array(this.#times.length * 2)
      larger.set(this.#times)
      this.#times = larger
    }
    this.#times[this.#count++] = ms
  }

  /** The median and the 99th percentile; NaN without times. */
  percentiles(): { p50Ms: number; p99Ms: number } {
    if (this.#count === 0) return { p50Ms: Number.NaN, p99Ms: Number.NaN }
    const sorted = this.#times.slice(0, this.#count).sort()
    return { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) }
  }
}
