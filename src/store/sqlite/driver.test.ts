import assert from 'node:assert/strict'
import { test } from 'node:test'
import { driverNames, loadDriver } from './driver.ts'

const PACKAGE = '@photostructure/sqlite'
const BUILT_IN = 'node:sqlite'

test('the built-in goes first from Node 24 on, the package before', () => {
  assert.deepEqual(driverNames('24.0.0'), [BUILT_IN, PACKAGE])
  assert.deepEqual(driverNames('26.1.0'), [BUILT_IN, PACKAGE])
  for (const version of ['20.19.0', '22.23.3']) assert.deepEqual(driverNames(version), [PACKAGE, BUILT_IN])
})

test('either serves where the other does not load', () => {
  for (const missing of [PACKAGE, BUILT_IN]) {
    const load = (name: string) => {
      if (name === missing) throw new Error(`no ${name}`)
      return name
    }
    assert.notEqual(loadDriver([PACKAGE, BUILT_IN], load), missing)
  }
})

test('if none loads, the error of the preferred one is thrown', () => {
  const load = (name: string) => {
    throw new Error(`no ${name}`)
  }
  assert.throws(() => loadDriver([PACKAGE, BUILT_IN], load), /no @photostructure/)
})
