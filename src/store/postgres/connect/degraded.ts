import type { DegradedComponent } from '../../store.ts'
import { shownHost } from './address.ts'
import { toStoreError } from './faults.ts'
import type { Topology } from './replicas.ts'
import type { Unavailable } from './server.ts'
import { WrongRoleError } from './session-role.ts'

/** The unavailable servers. A server of another role than required does not count while others are available. */
export function degradedComponents({ primary, replicas: reads }: Topology): DegradedComponent[] {
  const degraded: DegradedComponent[] = []
  const add = (part: DegradedComponent['part'], shown: string, { since, reason }: Unavailable) => {
    const explained = toStoreError(reason, { shown })
    const detail = explained instanceof Error ? explained.message : String(explained)
    degraded.push({ part, since: since.toISOString(), detail })
  }
  const outage = primary.unavailable()
  if (outage !== undefined) add('primary', primary.target.shown, outage)
  const isAnyThere = reads !== undefined && reads.unavailable() === undefined
  for (const server of reads?.all ?? []) {
    const outage = server.unavailable()
    if (outage === undefined || (isAnyThere && outage.reason instanceof WrongRoleError)) continue
    add('read host', shownHost(server.host), outage)
  }
  return degraded
}
