import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ISLAND, TOILETS } from '../support/island.ts'
import { read, sorted } from '../support/markdown.ts'
import {
  answers,
  answersConditionally,
  closedPort,
  entry,
  payload,
  startUpstream,
} from '../support/misbehaving-upstream.ts'
import { installedProgram } from '../support/programs.ts'
import { type Series, seriesOf } from '../support/series.ts'
import type { Serving } from '../support/serving.ts'
import { makeSite, type Site } from '../support/site.ts'
import { ROOT } from '../support/tracked-files.ts'
import { until } from '../support/until.ts'
import { damage } from '../support/whole-store.ts'

/* Runs the alerts of deploy/prometheus by Prometheus' own program, on the metrics of services that work and that do not. */

const PROMTOOL = installedProgram('promtool') ?? ''
const NO_PROMETHEUS = PROMTOOL === '' && 'no Prometheus here: `apt-get install prometheus`'
const FOLDER = join(ROOT, 'deploy/prometheus')
const RULES = read('deploy/prometheus/rules.yml')
const ALERTS = [...RULES.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name)

const promtool = (...words: string[]) => execFileSync(PROMTOOL, words, { encoding: 'utf8', stdio: 'pipe' })

test('every alert is silent without its fault, and fires on it', { skip: NO_PROMETHEUS }, () => {
  const cases = read('deploy/prometheus/rules.test.yml')
  const silent = [...cases.matchAll(/alertname: (\w+), exp_alerts: \[\]/g)].map(([, name = '']) => name)
  const firing = [...cases.matchAll(/alertname: (\w+)\n +exp_alerts:\n +- exp_labels/g)]
  assert.deepEqual(sorted(silent), sorted(ALERTS))
  assert.deepEqual(sorted(firing.map(([, name = '']) => name)), sorted(ALERTS))
  promtool('check', 'rules', join(FOLDER, 'rules.yml'))
  promtool('test', 'rules', join(FOLDER, 'rules.test.yml'))
})

test('set-up-alerts.md explains every alert, and no other', () => {
  const explained = [...read('docs/how-to/set-up-alerts.md').matchAll(/^\| `(Pds\w+)` /gm)]
  assert.deepEqual(
    explained.map(([, name = '']) => name),
    ALERTS,
  )
})

/** Serves with a file of one source. */
async function serve(site: Site, url: string, settings: Record<string, string>): Promise<Serving> {
  const sources = [{ dataset: 'toilets', url, every: '6h', allowPrivate: true }]
  await writeFile(join(site.folder, 'sources.json'), JSON.stringify({ sources }))
  return site.serve({ SOURCES: 'sources.json', LIVE_FEED_INTERVAL_S: '1', ...settings })
}

/** A service without a fault. */
async function working(t: TestContext): Promise<Serving> {
  const site = await makeSite(t)
  for (const [name, content] of Object.entries(ISLAND)) await site.publish(name, content)
  const source = await startUpstream(answersConditionally(JSON.stringify({ results: TOILETS }), '"one"'))
  const feed = await startUpstream(answers(payload([entry('HARBST', 7)], new Date().toISOString())))
  t.after(() => Promise.all([source.close(), feed.close()]))
  const serving = await serve(site, source.url, { LIVE_FEED_URL: feed.url })
  await serving.get('/v1/toilets')
  return serving
}

/** A service whose only release is damaged, and that reaches neither its feed nor its source nor Redis. */
async function faulty(t: TestContext): Promise<Serving> {
  const site = await makeSite(t)
  await site.publish('toilets', TOILETS)
  await damage(site, 'toilets', 1)
  const nobody = await closedPort()
  const REDIS_URL = `redis://${new URL(nobody).host}`
  return serve(site, nobody, { LIVE_FEED_URL: nobody, REDIS_URL })
}

/** The metrics of a service, once they have a series that a condition chooses. */
const scrape = (serving: Serving, isReady: (series: Series) => boolean) =>
  until(async () => {
    const { text } = await serving.admin('/metrics')
    return isReady(seriesOf(text)) && text
  }, 'the metrics')

const DAY_S = 86_400

/**
 * Fails unless exactly these alerts fire two hours after the scrapes, a minute apart, if nothing changes. In a test of promtool
 * time begins at 0. A source that fails has failed for two days, which its time tells.
 */
async function requireFiring(t: TestContext, scrapes: readonly string[], alerts: readonly string[]) {
  const [first = new Map(), second = new Map()] = scrapes.map(seriesOf)
  const now = Date.now() / 1000
  const shifted = (key: string, value: number) => {
    if (!key.includes('_timestamp_seconds')) return value
    return value - now - (key.startsWith('pds_source_failing') ? 2 * DAY_S : 0)
  }
  const input = [...second].flatMap(([key, value]) => {
    // Before the first garbage collection there is no average, for example.
    if (!Number.isFinite(value + (first.get(key) ?? 0))) return []
    const [, name, labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(key) ?? []
    const target = ['job="pds"', 'instance="a"', labels].filter(Boolean).join()
    const before = first.get(key)
    // A source is fetched again and again, so the time when it is due moves on.
    const step = key.startsWith('pds_source_due') ? '+60' : ''
    const values = [before === undefined ? '_' : shifted(key, before), `${shifted(key, value)}${step}x130`]
    return { series: `${name}{${target}}`, values: values.join(' ') }
  })
  const expr = 'group by (alertname) (ALERTS{alertstate="firing"})'
  const samples = alerts.map(name => ({ labels: `{alertname="${name}"}`, value: 1 }))
  const tests = [
    {
      interval: '1m',
      input_series: [...input, { series: 'up{job="pds", instance="a"}', values: '1x130' }],
      promql_expr_test: [{ expr, eval_time: '2h', exp_samples: samples }],
    },
  ]
  const site = await makeSite(t)
  const file = join(site.folder, 'alerts.json')
  const all = { rule_files: [join(FOLDER, 'rules.yml')], evaluation_interval: '1m', tests }
  await writeFile(file, JSON.stringify(all))
  promtool('test', 'rules', file)
}

test('a service that works fires no alert, a faulty one fires those of its faults; both export what rules and dashboard ask for', {
  skip: NO_PROMETHEUS,
}, async t => {
  const [good, bad] = await Promise.all([working(t), faulty(t)])
  const isWorking = (series: Series) =>
    series.has('pds_source_success_timestamp_seconds{dataset="toilets"}') &&
    series.has('pds_live_reading_age_seconds')
  const isFaulty = (series: Series) =>
    series.has('pds_source_failing_timestamp_seconds{dataset="toilets"}') &&
    series.get('pds_feed_breaker_open') === 1
  const ofGood = [await scrape(good, isWorking), await scrape(good, isWorking)]
  const ofBad = [await scrape(bad, isFaulty), await scrape(bad, isFaulty)]
  await requireFiring(t, ofGood, [])
  const faults = ['PdsNotReady', 'PdsReleaseDamaged', 'PdsFeedDown', 'PdsSourceFailing', 'PdsLimitsNotShared']
  await requireFiring(t, ofBad, faults)

  const known = labelsByMetric([...ofGood, ...ofBad].join('\n'))
  const dashboard = JSON.parse(read('deploy/grafana/dashboard.json'))
  const shown = dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) => targets)
  const asked = shown.map(({ expr }: { expr: string }) => expr) as string[]
  const wanted = [...RULES.matchAll(/^ +expr: (.*)$/gm)].map(([, expr = '']) => expr)
  assert.ok(asked.length > 20 && wanted.length === ALERTS.length)
  for (const expr of [...asked, ...wanted]) requireKnown(expr, known)

  const site = await makeSite(t)
  const rules = asked.map((expr, i) => ({
    record: `panel:${i}`,
    expr: expr.replaceAll('$__rate_interval', '5m'),
  }))
  const file = join(site.folder, 'dashboard.json')
  await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
  promtool('check', 'rules', file)
})

/** The labels of each metric on pages of metrics, also of a metric that has no series there. */
function labelsByMetric(pages: string): Map<string, Set<string>> {
  const names = [...pages.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name)
  const labels = new Map([...names, 'up', 'ALERTS'].map(name => [name, new Set(['job', 'instance'])]))
  labels.get('ALERTS')?.add('alertname').add('alertstate')
  for (const key of seriesOf(pages).keys()) {
    const [, name = '', pairs = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(key) ?? []
    const known = labels.get(name) ?? new Set(['job', 'instance'])
    labels.set(name, known)
    for (const [, label = ''] of pairs.matchAll(/(\w+)="/g)) known.add(label)
  }
  return labels
}

/** Fails unless an expression asks for metrics that there are, by labels that they have. */
function requireKnown(expr: string, known: ReadonlyMap<string, ReadonlySet<string>>): void {
  const metrics = [...expr.matchAll(/\b((?:pds|process|nodejs)_\w+|up|ALERTS)\b(?:\{([^}]*)\})?/g)]
  assert.notEqual(metrics.length, 0, expr)
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(', '))
  for (const [, name = '', pairs = ''] of metrics) {
    const labels = known.get(name)
    assert.ok(labels !== undefined, `${name} in ${expr}`)
    const chosen = [...pairs.matchAll(/(\w+)(?==~?"|!)/g)].map(([, label = '']) => label)
    for (const label of [...chosen, ...grouped])
      assert.ok(labels.has(label), `${label} of ${name} in ${expr}`)
  }
}
