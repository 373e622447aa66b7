import Type from 'typebox'
import * as field from '../../datasets/fields.ts'
import { serialiser } from '../../http/response/serialiser.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import { AgedQuality, describeAssessmentAt } from '../quality/quality-schema.ts'
import { feedCarPark, idOrCode } from './feed-car-parks.ts'
import { type ParkingContext, TAG } from './published-car-parks.ts'
import { modelRepresentation, secondVersion } from './representation.ts'

/** The response for one car park: its last count and its quality. */
const LiveCarpark = Type.Object(
  {
    code: field.text({ description: 'Live tracking code.', examples: ['GREENST'] }),
    name: field.text({
      description: 'Name of the car park, as the feed has it.',
      examples: ['Green Street'],
    }),
    spaces: field.nullableInteger({
      description: 'Free spaces; null where the feed does not list the car park now.',
      minimum: 0,
      examples: [332],
    }),
    status: field.nullableText({ description: "The feed's own word.", examples: ['good'] }),
    open: Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description: 'Whether the car park is open.',
    }),
    ...AgedQuality.properties,
  },
  { $id: 'LiveCarpark', title: 'Live count of one car park' },
)

/** GET /v1/carparks/{id or code}/live: one car park's count and its quality. */
export function addLiveCarparkRoute(router: Router, context: ParkingContext): void {
  const { parking, carParks } = context
  const render = serialiser(LiveCarpark)
  addEndpoint(router, {
    path: '/v1/carparks/:idOrCode/live',
    operationId: 'getLiveCarpark',
    tag: TAG,
    summary: 'Free spaces now, one car park',
    description:
      'The last count of one car park and its quality, checked against its own past. A car park that the feed does not list now has quality `missing`.',
    parameters: {},
    params: idOrCode,
    ignoresCase: true,
    response: LiveCarpark,
    problems: [404, 414, 503],
    cacheVersion: secondVersion(context),
    respond({ params }) {
      carParks.requireInService()
      const { code, name } = feedCarPark(context, params.idOrCode ?? '')
      const key = code.toUpperCase()
      const entry = parking.latest()?.entries.find(other => other.code.toUpperCase() === key)
      const count = entry ?? { code, name, spaces: null, status: null, open: null }
      const body = render({ ...count, ...describeAssessmentAt(parking.quality(code), parking.now()) })
      return modelRepresentation(context, body)
    },
  })
}
