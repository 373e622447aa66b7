import { Gauge, type Registry } from 'prom-client'
import { QUALITIES } from '../../parking/quality/quality.ts'
import type { ParkingService } from '../../parking/service.ts'

/** The metric of the quality of the live counts. */
export function carparkMetrics(registry: Registry, parking: Pick<ParkingService, 'qualities'>): void {
  new Gauge({
    name: 'pds_live_carparks',
    help: 'Car parks that the feed counts or should count, by the quality of their count.',
    labelNames: ['quality'],
    registers: [registry],
    collect() {
      const assessments = [...parking.qualities().values()]
      for (const quality of QUALITIES)
        this.set({ quality }, assessments.filter(assessment => assessment.quality === quality).length)
    },
  })
}
