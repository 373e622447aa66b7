import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { CARPARKS, ISLAND, OBSERVATION } from '../support/island.ts'
import { addressOf, answerChecker, type OpenApi, type Operation, parametersOf } from '../support/openapi.ts'
import { build } from '../support/service.ts'
import { anyAddress } from './any-address.ts'
import { HISTORY_PARAMETERS, historyAnswer, historyQuestion } from './history-model.ts'
import { carparkNamed, countedNamed, forecast, liveCount, liveSpaces, typicalWeek } from './live-model.ts'
import { COUNTED, HISTORY, NOW } from './live-past.ts'
import { type ModelQuery, readModelQuery, wholeNumber } from './query-model.ts'
import { carparkName, queryString, randomVehicles } from './random-queries.ts'
import {
  listOfRecalls,
  MODEL_RECALLS,
  RECALL_FILTERS,
  RECALL_PARAMETERS,
  selectedRecalls,
} from './recalls-model.ts'
import { groupsOf, STATS_PARAMETERS, statsOf } from './stats-model.ts'
import {
  COUNT_PARAMETERS,
  countOfVehicles,
  dateField,
  listOfVehicles,
  RANGES,
  selectedVehicles,
  VEHICLE_PARAMETERS,
  VEHICLE_STATS_PARAMETERS,
} from './vehicles-model.ts'

/** A body, JSON by default; 404 for an unknown path; undefined where a value is wrong. */
type ModelAnswer = string | { readonly csv: string } | 404 | undefined

/** An endpoint in the model: its parameters, and its response to them. `name` is the variable part of the path. */
interface Model {
  readonly parameters: readonly string[]
  readonly hasCsv?: true
  /** Served as CSV too, which test/contract/formats.test.ts compares with its JSON: it is not asked for here. */
  readonly isList?: true
  readonly answer: (query: ModelQuery, name: string) => ModelAnswer
}

interface RandomQuery {
  readonly query: string
  readonly name: string
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly headers: Record<string, string>
}

const LONGEST_PAGE = 1000

const CARPARK = '/v1/carparks/{idOrCode}'
const JSON_TYPE = 'application/json'
const CSV_TYPE = 'text/csv'

/** Endpoints on vehicles. */
export const isOfVehicles = (path: string) => path.startsWith('/v1/vehicles')
/** Endpoints whose responses a store computes. */
export const isOfStore = (path: string) => isOfVehicles(path) || path.includes('/history')

/** Sends random queries to endpoints and compares each response with the model. The same seed gives the same queries. */
export async function fuzzEndpoints(
  t: TestContext,
  options: {
    readonly queries: number
    readonly seed?: number
    readonly tableEngine: 'memory' | 'sql'
    /** Which endpoints are tested; all where absent. */
    readonly includes?: (path: string) => boolean
  },
): Promise<void> {
  const { queries, seed = Math.floor(Math.random() * 2 ** 31), includes = () => true } = options
  t.diagnostic(`seed ${seed}`)
  const vehicles = randomVehicles(seed)
  const content = { ...ISLAND, vehicles, 'product-recalls': MODEL_RECALLS }
  const environment = {
    ...{ VEHICLES_RATE_LIMIT: '0', TABLE_ENGINE: options.tableEngine },
    PAGE_LIMIT_MAX: String(LONGEST_PAGE),
  }
  const { app } = await build(t, content, {
    ...{ environment, observation: OBSERVATION, history: HISTORY, now: () => NOW },
  })
  const document: OpenApi = (await app.inject('/openapi.json')).json()
  const textAt = async (url: string) => (await app.inject(url)).body
  const catalogue = {
    json: await textAt('/v1/datasets'),
    'dcat-ap': await textAt('/v1/datasets.jsonld'),
    'schema.org': await textAt('/v1/datasets.jsonld?profile=schema.org'),
    enumerations: await textAt('/v1/enumerations'),
  }
  const check = answerChecker(document)
  const models = modelsOf(content, catalogue)
  const answering = Object.entries(document.paths).filter(([, { get }]) => !isStream(get))
  const paths = answering.map(([path]) => path)
  assert.deepEqual(
    Object.keys(models).filter(path => !paths.includes(path)),
    [],
  )

  for (const [path, model] of Object.entries(models).filter(([path]) => includes(path)))
    await t.test(path, async () => {
      const operation = document.paths[path]?.get ?? assert.fail()
      const property = fc.asyncProperty(queryTo(model), async sent => {
        const url = `${path.replace('{idOrCode}', sent.name)}?${sent.query}`
        const answer = await app.inject({ url, method: sent.method, headers: sent.headers })
        assert.notEqual(answer.statusCode, 500, url)
        // Other formats than JSON are compared with it in test/contract/formats.test.ts.
        if (model.isList && sent.query.includes('format=')) return
        const { statuses, body, hasOthers } = expected(model, path, sent)
        assert.ok(statuses.includes(answer.statusCode), `${answer.statusCode}: ${answer.body.slice(0, 300)}`)
        if (statuses.includes(200) || statuses.includes(304)) {
          assert.equal(answer.body, sent.method === 'HEAD' ? '' : body)
          assert.equal(answer.headers['ignored-parameters'] !== undefined, hasOthers)
        }
        if (sent.method !== 'HEAD') check(operation, answer, url)
        // An injected request leaves nothing to wait for, and without a turn of the event loop nothing is let go.
        await nextTurn()
      })
      await fc.assert(property, { seed, numRuns: queries })
    })

  for (const [path, { get: operation }] of answering.filter(([path]) => !(path in models) && includes(path)))
    await t.test(`${path}, without a model`, async () => {
      const property = fc.asyncProperty(
        anyAddress(addressOf(path), parametersOf(document, operation)),
        async url => {
          const answer = await app.inject(url)
          assert.notEqual(answer.statusCode, 500, url)
          check(operation, answer, url)
          await nextTurn()
        },
      )
      await fc.assert(property, { seed, numRuns: Math.ceil(queries / 10) })
    })
}

/** What has no end cannot be injected. */
const isStream = ({ responses }: Operation) => responses['200']?.content?.['text/event-stream'] !== undefined

const queryTo = ({ parameters, isList }: Model): fc.Arbitrary<RandomQuery> =>
  fc.record({
    query: queryString(parameters),
    name: carparkName([CARPARKS[0]?.id ?? '', CARPARKS[1]?.id ?? '', ...COUNTED.map(({ code }) => code)]),
    method: fc.oneof({ weight: 20, arbitrary: fc.constant('GET' as const) }, fc.constantFrom('HEAD', 'POST')),
    headers: fc.oneof(
      { weight: 12, arbitrary: fc.constant({}) },
      fc.constantFrom<Record<string, string>>(
        { accept: 'image/png' },
        { accept: 'application/*' },
        ...(isList ? [] : [{ accept: CSV_TYPE }]),
        { prefer: 'handling=strict' },
        { 'if-none-match': '*' },
        { 'if-none-match': '"x"' },
      ),
    ),
  })

const accepts = (accept: string | undefined, type: string) =>
  accept === undefined || accept === type || (accept === 'application/*' && type === JSON_TYPE)

function modelsOf(content: typeof ISLAND | object, catalogue: CatalogueTexts): Record<string, Model> {
  const { vehicles, carparks, toilets, recycling, defibrillators } = content as typeof ISLAND & {
    vehicles: Parameters<typeof listOfVehicles>[0]
  }
  const whole = (results: readonly object[]): Model => ({
    ...{ parameters: ['limit'], isList: true },
    answer(query) {
      const limit = wholeNumber(query.get('limit') ?? String(LONGEST_PAGE), LONGEST_PAGE)
      return limit === undefined ? undefined : JSON.stringify({ results: results.slice(0, limit) })
    },
  })
  const counts = (field: 'make' | 'color'): Model => ({
    ...{ parameters: COUNT_PARAMETERS, isList: true },
    answer: query => countOfVehicles(vehicles, field, query),
  })
  return {
    '/v1/vehicles': {
      ...{ parameters: VEHICLE_PARAMETERS, isList: true },
      answer: query => listOfVehicles(vehicles, query),
    },
    '/v1/vehicles/makes': counts('make'),
    '/v1/vehicles/stats/makes': counts('make'),
    '/v1/vehicles/colors': counts('color'),
    '/v1/vehicles/stats/colors': counts('color'),
    '/v1/vehicles/models': {
      ...{ parameters: [...COUNT_PARAMETERS, 'make', 'top'], isList: true },
      answer(query) {
        const found = selectedVehicles(vehicles, query)
        return found && groupsOf(found, query, ['make', 'model'])
      },
    },
    '/v1/vehicles/stats': {
      ...{ parameters: VEHICLE_STATS_PARAMETERS, isList: true },
      answer: query =>
        statsOf(selectedVehicles(vehicles, query), query, ['make', 'model', 'color', 'fuelType'], {
          date: dateField(query),
          measured: Object.values(RANGES),
        }),
    },
    '/v1/carparks/stats': stats(
      carparks,
      ['type', 'surfaceType', 'multiStorey'],
      ['spaces', 'disabledSpaces', 'parentChildSpaces', 'electricChargingSpaces'],
    ),
    '/v1/toilets/stats': stats(toilets, ['parish', 'tenure', 'facilities'], ['buildDate']),
    '/v1/recycling/stats': stats(recycling, ['parish', 'services']),
    '/v1/defibrillators/stats': stats(defibrillators, ['parish']),
    '/v1/product-recalls/stats': {
      ...{ parameters: [...STATS_PARAMETERS, ...RECALL_FILTERS], isList: true },
      answer: query => statsOf(selectedRecalls(query), query, ['brand'], { date: 'recallDate' }),
    },
    '/v1/carparks': withProvenance(whole(carparks.map(({ createdAt: _, ...carpark }) => carpark))),
    [CARPARK]: withProvenance({ parameters: [], answer: (_query, name) => jsonOf(carparkNamed(name)) }),
    [`${CARPARK}/live`]: counted(liveCount),
    [`${CARPARK}/forecast`]: counted(forecast),
    [`${CARPARK}/typical`]: counted(typicalWeek),
    [`${CARPARK}/history`]: history(true),
    '/v1/carparks/live-spaces/history': history(false),
    '/v1/carparks/live-spaces': { parameters: ['includeCarparkInfo', 'include'], answer: liveSpaces },
    '/v1/toilets': withProvenance(whole(toilets)),
    '/v1/recycling': withProvenance(whole(recycling)),
    '/v1/defibrillators': withProvenance(whole(defibrillators)),
    '/v1/product-recalls': withProvenance({
      parameters: RECALL_PARAMETERS,
      isList: true,
      answer: listOfRecalls,
    }),
    '/v1/datasets': {
      parameters: ['profile', 'format'],
      answer(query) {
        const [format, profile] = [query.get('format') ?? 'json', query.get('profile') ?? 'dcat-ap']
        if (profile !== 'dcat-ap' && profile !== 'schema.org') return undefined
        if (format === 'json') return catalogue.json
        return format === 'jsonld' ? catalogue[profile] : undefined
      },
    },
    '/v1/enumerations': { parameters: [], answer: () => catalogue.enumerations },
  }
}

/** The catalogue in each of its forms, and the enumerations. */
type CatalogueTexts = Readonly<Record<'json' | 'dcat-ap' | 'schema.org' | 'enumerations', string>>
const stats = (
  records: readonly object[],
  keys: readonly string[],
  measured: readonly string[] = [],
): Model => ({
  ...{ parameters: STATS_PARAMETERS, isList: true },
  answer: query => statsOf(records, query, keys, { measured }),
})

/** The model with `include=provenance`, where nothing is corrected or held back. */
const withProvenance = ({ parameters, answer, ...model }: Model): Model => ({
  ...{ ...model, parameters: [...parameters, 'include'] },
  answer(query, name) {
    const plain = answer(query, name)
    const asked = query.get('include') ?? ''
    if (asked === '') return plain
    const parts = asked.split(',').flatMap(part => part.trim() || [])
    if (parts.join() !== 'provenance') return undefined
    if (typeof plain !== 'string') return plain
    const body = JSON.parse(plain)
    for (const record of body.results ?? [body]) {
      const missing = Object.keys(record).filter(field => record[field] === null)
      record.provenance = { corrected: [], heldBack: [], missing }
    }
    return JSON.stringify(body)
  },
})

const jsonOf = (found: object | undefined): string | 404 =>
  found === undefined ? 404 : JSON.stringify(found)

/** What is said of one counted car park, whatever the query. */
const counted = (answer: (one: (typeof COUNTED)[number]) => string): Model => ({
  parameters: [],
  answer(_query, name) {
    const found = countedNamed(name)
    return found === undefined ? 404 : answer(found)
  },
})

const history = (ofOne: boolean): Model => ({
  parameters: HISTORY_PARAMETERS,
  hasCsv: true,
  answer(query, name) {
    const history = historyQuestion(query)
    if (history === undefined || !ofOne) return history && historyAnswer(history)
    const found = countedNamed(name)
    return found === undefined ? 404 : historyAnswer(history, found)
  },
})

/** The status that a query must have, and the body where it is 200. */
function expected(model: Model, path: string, { query, name: encoded, method, headers }: RandomQuery) {
  const nothing = (...statuses: number[]) => ({ statuses, body: '', hasOthers: false })
  const name = decodeURIComponent(encoded)
  if (path.startsWith(CARPARK) && name.length > 100) return nothing(414)
  if (method === 'POST') return nothing(405)
  const read = readModelQuery(query, model.parameters)
  if (read === undefined || (read.hasOthers && headers.prefer !== undefined)) return nothing(400)
  const prefersCsv = model.hasCsv === true && !accepts(headers.accept, JSON_TYPE)
  const answer = model.answer(prefersCsv ? new Map([['format', 'csv'], ...read.query]) : read.query, name)
  const types = model.hasCsv ? [JSON_TYPE, CSV_TYPE] : [JSON_TYPE]
  const isAcceptable = read.query.has('format') || types.some(type => accepts(headers.accept, type))
  // A value that is wrong by itself is found before the type, one that is wrong beside others after it.
  if (answer === undefined) return isAcceptable ? nothing(400) : nothing(400, 406)
  if (!isAcceptable) return nothing(406)
  if (answer === 404) return nothing(404)
  const { hasOthers } = read
  if (headers['if-none-match'] === '*') return { statuses: [304], body: '', hasOthers }
  return { statuses: [200], body: typeof answer === 'string' ? answer : answer.csv, hasOthers }
}
