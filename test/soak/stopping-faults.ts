import assert from 'node:assert/strict'
import { until } from '../support/until.ts'
import type { Fault, Faults } from './stage.ts'

/** Always the first, so that the memory of others is watched all the time. */
const restart =
  (how: 'stop' | 'kill'): Fault =>
  async ({ fleet: [instance], shared }) => {
    assert.ok(instance)
    const ended = await instance[how]()
    if (ended) assert.equal(ended.status, 0)
    await instance.start()
    if (shared) await until(() => shared.proxy.inUse().includes(0), 'the proxy using it again')
  }

/** Faults that end an instance. */
export const STOPPING_FAULTS: Faults = {
  'an instance is stopped by SIGTERM, and started': restart('stop'),
  'an instance is killed, and started': restart('kill'),
}
