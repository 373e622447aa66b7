import Type from 'typebox'
import type { DatasetContext } from '../../datasets/dataset.ts'
import * as field from '../../datasets/fields.ts'
import { serialiser } from '../../http/response/serialiser.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import { type CountedCarpark, countedCarpark, idOrCode } from './counted.ts'
import { judgedRepresentation, secondVersion } from './live-representation.ts'
import { describeVerdictAt } from './quality.ts'
import { AgedQuality } from './quality-schema.ts'

/** The response for one car park: its last count, and how far it can be trusted. */
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

/** GET /v1/carparks/{id or code}/live: one car park's count and how far it can be trusted. */
export function addLiveCarparkRoute(router: Router, context: DatasetContext): void {
  const render = serialiser(LiveCarpark)
  addEndpoint(router, {
    path: '/v1/carparks/:idOrCode/live',
    operationId: 'getLiveCarpark',
    tag: context.dataset.name,
    summary: 'Free spaces now, one car park',
    description:
      'The last count of one car park and its quality, judged from its own past. One that the feed does not list now is there with quality `missing`.',
    parameters: {},
    params: idOrCode,
    response: LiveCarpark,
    problems: [404, 414, 503],
    cacheVersion: secondVersion(context),
    respond({ params }) {
      context.requireInService()
      const counted = countedCarpark(context, params.idOrCode ?? '')
      return judgedRepresentation(context, render(describe(context, counted)))
    },
  })
}

function describe({ live, watch }: DatasetContext, { code, name }: CountedCarpark) {
  const entry = live.latest()?.entries.find(other => other.code.toUpperCase() === code.toUpperCase())
  const counted = entry ?? { code, name, spaces: null, status: null, open: null }
  return { ...counted, ...describeVerdictAt(watch.verdict(code), watch.now()) }
}
