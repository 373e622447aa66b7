import { Counter, type CounterConfiguration, Gauge, type Registry } from 'prom-client'

/** A value that is read at each scrape, undefined for no series; or the values by one label. */
type Reading =
  | (() => number | undefined)
  | { readonly label: string; readonly values: () => Iterable<readonly [labelValue: string, value: number]> }

/** Registers a gauge whose value is read at each scrape. */
export function gauge(registry: Registry, name: string, help: string, reading: Reading): void {
  new Gauge({
    ...configuration(registry, name, help, reading),
    collect() {
      this.reset()
      // Without labels, a reset leaves a series of 0.
      if (typeof reading === 'function') this.remove()
      for (const [labels, value] of read(reading)) this.set(labels, value)
    },
  })
}

/** Registers a counter whose value is read at each scrape. */
export function counter(registry: Registry, name: string, help: string, reading: Reading): void {
  new Counter({
    ...configuration(registry, name, help, reading),
    collect() {
      this.reset()
      for (const [labels, value] of read(reading)) this.inc(labels, value)
    },
  })
}

function configuration(
  registry: Registry,
  name: string,
  help: string,
  reading: Reading,
): CounterConfiguration<string> {
  return { name, help, labelNames: 'label' in reading ? [reading.label] : [], registers: [registry] }
}

function read(reading: Reading): [Record<string, string>, number][] {
  if (typeof reading !== 'function')
    return [...reading.values()].map(([labelValue, value]) => [{ [reading.label]: labelValue }, value])
  const value = reading()
  return value === undefined ? [] : [[{}, value]]
}
