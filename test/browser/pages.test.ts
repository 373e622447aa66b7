import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PROBLEMS, type ProblemCode } from '../../src/errors.ts'
import { problemPath } from '../../src/http/problems.ts'
import { NO_CHROMIUM, show, startChromium } from '../support/chromium.ts'
import { ISLAND, OBSERVATION } from '../support/island.ts'
import { faultsOf, PHONE, WINDOWS } from '../support/page-checks.ts'
import { listen } from '../support/raw-http.ts'
import { build } from '../support/service.ts'

test('pages are accessible, run no script but their own and fit a phone', { skip: NO_CHROMIUM }, async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVATION, synthetic: true })
  const origin = `http://127.0.0.1:${await listen(app)}`
  const browser = await startChromium(t)
  const problems = (Object.keys(PROBLEMS) as ProblemCode[]).map(problemPath)

  for (const options of WINDOWS) {
    const { colorScheme, viewport } = options
    await t.test(`${colorScheme}, ${viewport.width} wide`, async t => {
      const shown = await show(t, browser, `${origin}/`, options)
      // The pages of problems differ in their texts alone.
      for (const path of [
        '/',
        '/parking',
        '/search',
        '/search?q=st',
        ...problems.slice(0, viewport === PHONE && colorScheme === 'light' ? undefined : 1),
      ]) {
        await shown.page.goto(origin + path)
        assert.deepEqual(await faultsOf(shown), [], path)
      }
    })
  }
})
