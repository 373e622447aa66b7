import Type from 'typebox'
import { notFound, type Problem } from '../../errors.ts'
import { addEndpoint } from '../../http/endpoint.ts'
import type { Router } from '../../http/router.ts'
import type { StoredRecord } from '../../query/query.ts'
import type { Snapshot } from '../../releases/snapshots/snapshot.ts'
import { nearestAbbreviation } from '../../values/text.ts'
import type { ServedDataset } from '../dataset.ts'
import { oneRecord } from '../release-representation.ts'
import { throwRemovedOr } from '../removed-place.ts'
import { carparksByIdOrCode, namesOf } from './lookup.ts'
import { CarparkAlone } from './schema.ts'

/** GET /v1/carparks/{id or code} (spec 4.7). */
export function addSingleCarparkRoute(router: Router, context: ServedDataset): void {
  const { show, ...answer } = oneRecord(CarparkAlone)
  addEndpoint(router, {
    path: '/v1/carparks/:idOrCode',
    operationId: 'getCarpark',
    tag: context.dataset.name,
    summary: 'One car park',
    params: Type.Object({
      idOrCode: Type.String({
        description: "The car park's id (UUID) or its live tracking code; case does not matter.",
        examples: ['GREENST'],
      }),
    }),
    ignoresCase: true,
    ...answer,
    cacheVersion: context.release,
    problems: [404, 410, 414],
    respond: ({ params, query }) => {
      const snapshot = context.snapshot()
      const { idOrCode = '' } = params
      const wanted = idOrCode.toLowerCase()
      const carpark = carparksByIdOrCode(snapshot).get(wanted)
      if (carpark === undefined) {
        const isMeant = (record: StoredRecord) => namesOf(record).includes(wanted)
        const { address } = router.shared
        return throwRemovedOr(unknown(snapshot, idOrCode), context, { isMeant, address })
      }
      return show(carpark, snapshot, { maxAge: context.dataset.maxAge, ...query })
    },
  })
}

function unknown(snapshot: Snapshot, idOrCode: string): Problem {
  const codes = snapshot.records.flatMap(({ liveTrackingCode }) =>
    typeof liveTrackingCode === 'string' ? [liveTrackingCode] : [],
  )
  return notFound('No car park has this id or live tracking code.', {
    parameter: 'idOrCode',
    value: idOrCode,
    detail: 'is not the id or the live tracking code of a car park',
    allowed: `an id from /v1/carparks or one of ${codes.join(', ')}`,
    nearest: nearestAbbreviation(idOrCode, codes),
  })
}
