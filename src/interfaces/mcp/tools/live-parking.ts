import { text } from '../../../values/values.ts'
import { inputSchema, readArguments } from '../arguments.ts'
import { type Ask, resultsOf, type Tool } from '../tool.ts'

const parameters = {
  carpark: {
    type: text({ maxLength: 100 }),
    description: 'The id or code of one car park, which then comes with a forecast for two hours.',
  },
}
/** The name that paths of the API have for it: agents that know them send it. */
const known = { ...parameters, idOrCode: parameters.carpark }

/** The tool for free parking spaces now. */
export const LIVE_PARKING: Tool = {
  name: 'live_parking',
  title: 'Free parking spaces now',
  description:
    'The free spaces of every counted car park, or of one with a forecast. Tell the user the `quality` and age of a count: only `good` ones can be relied on.',
  input: () => inputSchema(parameters, []),
  async call(sent, ask) {
    const { carpark, idOrCode = carpark } = readArguments(known, sent).values
    const data = idOrCode === undefined ? await allOf(ask) : await oneOf(ask, String(idOrCode))
    return { datasets: ['carparks'], data }
  },
}

async function allOf(ask: Ask) {
  const body = await ask('/v1/carparks/live-spaces?include=quality')
  return { observedAt: body.timestamp, missing: body.missing, results: resultsOf(body) }
}

async function oneOf(ask: Ask, idOrCode: string) {
  const path = `/v1/carparks/${encodeURIComponent(idOrCode)}`
  const live = await ask(`${path}/live`)
  const { from, results, reason, detail } = await ask(`${path}/forecast`)
  return { observedAt: live.observedAt, results: [live], forecast: { from, results, reason, detail } }
}
