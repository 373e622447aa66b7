import { Counter, Gauge, type Registry } from 'prom-client'

/** The values of a metric by one label. */
interface ByLabel {
  readonly label: string
  readonly values: () => Iterable<readonly [labelValue: string, value: number]>
}

/** Registers a gauge whose value is read at each scrape; it has no series where the value is undefined. */
export function gauge(
  registry: Registry,
  name: string,
  help: string,
  value: (() => number | undefined) | ByLabel,
): void {
  new Gauge({
    ...configuration(registry, name, help, value),
    collect() {
      this.reset()
      // Without labels, a reset leaves a series of 0.
      if (typeof value === 'function') this.remove()
      for (const [labels, current] of read(value)) this.set(labels, current)
    },
  })
}

/** Registers a counter whose value is read at each scrape. */
export function counter(
  registry: Registry,
  name: string,
  help: string,
  value: (() => number | undefined) | ByLabel,
): void {
  new Counter({
    ...configuration(registry, name, help, value),
    collect() {
      this.reset()
      for (const [labels, current] of read(value)) this.inc(labels, current)
    },
  })
}

function configuration(registry: Registry, name: string, help: string, value: object) {
  return { name, help, labelNames: 'label' in value ? [String(value.label)] : [], registers: [registry] }
}

function read(value: (() => number | undefined) | ByLabel): [Record<string, string>, number][] {
  if (typeof value !== 'function')
    return [...value.values()].map(([labelValue, current]) => [{ [value.label]: labelValue }, current])
  const current = value()
  return current === undefined ? [] : [[{}, current]]
}
