import type { DegradedComponent } from '../../store.ts'
import { shownHost } from './address.ts'
import { explain } from './faults.ts'
import type { Sources } from './replicas.ts'
import type { Away } from './server.ts'
import { WrongRoleError } from './session-role.ts'

/** Which of the servers cannot be asked. One that has another role than is asked for is none of them while others will do. */
export function degradedComponents({ primary, reads }: Sources): DegradedComponent[] {
  const troubles: DegradedComponent[] = []
  const tell = (part: DegradedComponent['part'], shown: string, { since, reason }: Away) => {
    const explained = explain(reason, { shown })
    const detail = explained instanceof Error ? explained.message : String(explained)
    troubles.push({ part, since: since.toISOString(), detail })
  }
  const away = primary.away()
  if (away !== undefined) tell('primary', primary.target.shown, away)
  const isAnyThere = reads !== undefined && reads.away() === undefined
  for (const server of reads?.all ?? []) {
    const away = server.away()
    if (away === undefined || (isAnyThere && away.reason instanceof WrongRoleError)) continue
    tell('read host', shownHost(server.host), away)
  }
  return troubles
}
