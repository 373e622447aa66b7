import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logResponse } from './http-log.ts'

/** The path that the log shows for a URL. */
function logged(url: string): unknown {
  const lines: Record<string, unknown>[] = []
  const info = (line: Record<string, unknown>) => void lines.push(line)
  const log = { info, isLevelEnabled: () => true } as unknown as Parameters<typeof logResponse>[0]
  logResponse(log, { method: 'GET', url, status: 200, ms: 1 } as Parameters<typeof logResponse>[1])
  return lines[0]?.path
}

test('the log has the path and the query, but not where somebody stands', () => {
  assert.equal(logged('/v1/vehicles?make=ford'), '/v1/vehicles?make=ford')
  assert.equal(logged('/map?near=49.1868,-2.1064&dataset=toilets'), '/map?near=…&dataset=toilets')
  assert.equal(logged('/v1/places?dataset=toilets&near=49.1,-2.1'), '/v1/places?dataset=toilets&near=…')
  assert.equal(logged('/v1/toilets?nearest=1'), '/v1/toilets?nearest=1')
})
