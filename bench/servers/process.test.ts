import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { until } from '../../test/support/until.ts'
import { childrenOf, cpuSeconds, cpuSecondsSinceStart, proportionalBytes, startNode } from './process.ts'

test('processor time is counted finer than ticks, and unknown for a process that is not there', t => {
  for (const read of [cpuSeconds, cpuSecondsSinceStart]) assert.ok(Number.isNaN(read(-1)))
  const before = cpuSeconds(process.pid)
  if (Number.isNaN(before)) return t.skip('this platform does not tell processor time')
  const { user, system } = process.cpuUsage()
  // The loader of TypeScript may be a child of this process.
  const own = childrenOf(process.pid).reduce((rest, child) => rest - cpuSeconds(child), before)
  // Only Node's own figure counts threads that have ended. The last tick may be some milliseconds ago.
  assert.ok(own > 0 && own < (user + system) / 1e6 + 0.1)
})

/** Takes a third of a second of processor time, however busy the machine is. */
const BUSY = 'while (process.cpuUsage().user < 333_333);'

test('a service’s processor time and memory are those of its workers, too, also once a worker has ended', async t => {
  const worker = `${BUSY} process.once('message', () => process.exit()); process.send('busy no more')`
  const script = `
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc']
    const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(worker)}], { stdio })
    child.once('message', () => process.send('ready'))
    child.once('exit', () => process.send('gone'))
    process.once('message', () => child.send('end'))`
  const { child, pid, stop } = startNode(['-e', script], { talks: true })
  t.after(stop)
  await once(child, 'message')
  const [worked] = childrenOf(pid)
  if (worked === undefined) return t.skip('this platform does not tell children')
  assert.ok(cpuSeconds(pid) >= cpuSeconds(worked) && cpuSeconds(worked) > 0.1)
  assert.ok(proportionalBytes(worked) > 1e6 && Number.isNaN(proportionalBytes(-1)))
  child.send('end')
  await once(child, 'message')
  assert.deepEqual(childrenOf(pid), [])
  assert.ok(cpuSecondsSinceStart(pid) > cpuSeconds(pid) + 0.1)
})

test('the output of a process that logs to a file is its end, until it is forgotten', async t => {
  const script = 'console.log("x".repeat(5000), "first"); setInterval(() => console.log("again"), 50)'
  const { output, forgetOutput, stop } = startNode(['-e', script], { logsToFile: true })
  t.after(stop)
  await until(() => output().includes('first\n'), 'the first line')
  assert.ok(output().length <= 4000)
  forgetOutput()
  await until(() => /^again\n/.test(output()), 'a further line')
})
