import { Counter, Gauge, type Registry } from 'prom-client'
import type { EventClients } from '../../http/events/event-clients.ts'

const NOBODY = { connected: 0, dropped: 0, refused: 0 }

/** The figures of the clients that follow streams; all are 0 until the clients are known. */
export function streamFigures(
  registry: Registry,
  clients: () => Pick<EventClients, 'figures'> | undefined,
): void {
  const registers = [registry]
  const figures = () => clients()?.figures() ?? NOBODY
  new Gauge({
    name: 'pds_stream_clients',
    help: 'Clients that follow a stream now.',
    registers,
    collect() {
      this.set(figures().connected)
    },
  })
  new Counter({
    name: 'pds_stream_clients_dropped_total',
    help: 'Clients that were cut because they did not read what they were sent.',
    registers,
    collect() {
      this.reset()
      this.inc(figures().dropped)
    },
  })
  new Counter({
    name: 'pds_stream_clients_refused_total',
    help: 'Clients that were turned away because LIVE_STREAM_CLIENTS followed already.',
    registers,
    collect() {
      this.reset()
      this.inc(figures().refused)
    },
  })
}
