import { Gauge, type Registry } from 'prom-client'
import type { CarparkWatch } from '../../parking/model/carpark-watch.ts'
import { QUALITIES } from '../../parking/quality/quality.ts'

/** The figures of how far the live counts can be trusted. */
export function carparkFigures(registry: Registry, watch: Pick<CarparkWatch, 'verdicts'>): void {
  new Gauge({
    name: 'pds_live_carparks',
    help: 'Car parks that the feed counts or should count, by the quality of their count.',
    labelNames: ['quality'],
    registers: [registry],
    collect() {
      const verdicts = [...watch.verdicts().values()]
      for (const quality of QUALITIES)
        this.set({ quality }, verdicts.filter(verdict => verdict.quality === quality).length)
    },
  })
}
