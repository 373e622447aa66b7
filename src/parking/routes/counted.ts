import Type from 'typebox'
import { carparksByIdOrCode } from '../../datasets/carparks/lookup.ts'
import type { DatasetContext } from '../../datasets/dataset.ts'
import { Problem } from '../../errors.ts'
import type { StoredRecord } from '../../query/query.ts'
import { nearest } from '../../values/nearest.ts'

/** The variable part of the path of everything about one counted car park. */
export const idOrCode = Type.Object({
  idOrCode: Type.String({
    description:
      "The car park's id (UUID), its live tracking code, or the code of an entry of the feed; upper and lower case are the same.",
    examples: ['GREENST'],
  }),
})

/** A car park that the live feed counts or counted. */
export interface CountedCarpark {
  /** As the feed writes it; where it never did, as the car park's record does. */
  readonly code: string
  readonly name: string
  /** The car park itself; undefined where none has the code. */
  readonly carpark: StoredRecord | undefined
}

/**
 * All car parks that the feed counts or counted, in the order of their codes. Throws the problem DATASET_UNAVAILABLE
 * where nothing is known of any car park.
 */
export function countedCarparks(context: DatasetContext): CountedCarpark[] {
  const counted = context.watch.counted()
  const snapshot = counted.length === 0 ? context.snapshot() : context.snapshotIfAny()
  const carparks = snapshot && carparksByIdOrCode(snapshot)
  return counted.map(({ code, name }) => ({ code, name, carpark: carparks?.get(code.toLowerCase()) }))
}

/** The counted car park with this id or code. Throws the problem NOT_FOUND, also for one that is not counted. */
export function countedCarpark(context: DatasetContext, idOrCode: string): CountedCarpark {
  const snapshot = context.snapshotIfAny()
  const carpark = snapshot && carparksByIdOrCode(snapshot).get(idOrCode.toLowerCase())
  const code = carpark === undefined ? idOrCode : carpark.liveTrackingCode
  const counted = countedCarparks(context)
  const found =
    typeof code === 'string' && counted.find(other => other.code.toUpperCase() === code.toUpperCase())
  if (found) return found
  if (carpark !== undefined && typeof code === 'string') return { code, name: String(carpark.name), carpark }
  throw notCounted(idOrCode, carpark, counted)
}

function notCounted(idOrCode: string, carpark: StoredRecord | undefined, counted: CountedCarpark[]): Problem {
  const codes = counted.map(({ code }) => code)
  const meant = carpark === undefined ? nearest(idOrCode, codes) : undefined
  const detail =
    carpark === undefined
      ? 'No car park that the live feed counts has this id or code.'
      : 'The live feed does not count this car park.'
  return new Problem('NOT_FOUND', detail, {
    errors: [
      {
        parameter: 'idOrCode',
        value: idOrCode.slice(0, 100),
        detail: 'is not the id or the code of a car park that is counted',
        allowed: codes.length === 0 ? 'none is counted yet' : `one of ${codes.join(', ')}`,
        ...(meant === undefined ? {} : { nearest: meant }),
      },
    ],
  })
}
