import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Problem } from '../errors.ts'
import { createScheduler, type SchedulerOptions } from './scheduler.ts'

/** Where the clock is real, a busy machine may take the usual slice before any work is done. */
const LONG_SLICE_MS = 1000

/** A scheduler whose clock advances only with work, by its duration. */
function schedulerWithClock(options: SchedulerOptions) {
  let time = 0
  const told: boolean[] = []
  const onOverload = (overloaded: boolean) => told.push(overloaded)
  const scheduler = createScheduler({ ...options, onOverload, now: () => time })
  const done: number[] = []
  const work = (ms: number) => () => {
    time += ms
    done.push(ms)
    return ms
  }
  const workLater = (ms: number) => async () => work(ms)()
  return { scheduler, done, told, work, workLater }
}

test('work is done at once as long as the turn has a share left', async () => {
  const { scheduler, done, work, workLater } = schedulerWithClock({ timeSliceMs: 10, maxWaitMs: 100 })
  assert.equal(scheduler.run('a', work(4)), 4)
  assert.equal(await scheduler.run('a', workLater(5)), 5)
  assert.equal(scheduler.run('a', work(6)), 6)
  assert.ok(scheduler.run('a', work(7)) instanceof Promise)
  assert.deepEqual(done, [4, 5, 6])
  await nextTurn()
  assert.deepEqual(done, [4, 5, 6, 7])
})

test('queued work runs in order, one slice per turn, and each request gets its own response', async () => {
  const { scheduler, done, work, workLater } = schedulerWithClock({ timeSliceMs: 10, maxWaitMs: 1000 })
  const answers = [10, 6, 5, 7, 8, 9].map((ms, index) =>
    scheduler.run('a', index % 2 ? workLater(ms) : work(ms)),
  )
  assert.deepEqual(done, [10])
  await nextTurn()
  assert.deepEqual(done, [10, 6, 5])
  await nextTurn()
  assert.deepEqual(done, [10, 6, 5, 7, 8])
  assert.deepEqual(await Promise.all(answers), [10, 6, 5, 7, 8, 9])
})

test('a request that would wait too long is refused at once; requests are accepted again once the queue is shorter', async () => {
  const { scheduler, told, work } = schedulerWithClock({ timeSliceMs: 10, maxWaitMs: 100 })
  // Until the average is near the true service time.
  for (let i = 0; i < 100; i++) await scheduler.run('a', work(50))
  const answers = [scheduler.run('a', work(50))]
  let refused = 0
  for (let i = 0; i < 50; i++) {
    try {
      answers.push(scheduler.run('a', work(50)))
    } catch (error) {
      assert.ok(error instanceof Problem && error.code === 'OVERLOADED')
      assert.equal(error.headers['retry-after'], '1')
      refused++
    }
  }
  // Two queued tasks take 100 ms; behind three the wait would be too long.
  assert.equal(answers.length + refused, 51)
  assert.ok(answers.length >= 3 && answers.length <= 5, `${answers.length} let in`)
  assert.deepEqual(told, [true])
  await Promise.all(answers)
  assert.equal(await scheduler.run('a', work(1)), 1)
  assert.deepEqual(told, [true, false])
})

test('a single pause does not close the door', async () => {
  const { scheduler, work } = schedulerWithClock({ timeSliceMs: 10, maxWaitMs: 100 })
  for (let i = 0; i < 100; i++) await scheduler.run('a', work(1))
  await scheduler.run('a', work(500))
  const answers = Array.from({ length: 60 }, () => scheduler.run('a', work(1)))
  assert.equal((await Promise.all(answers)).length, 60)
})

test('other work of the event loop counts as well: a request that would wait too long for it is refused', async () => {
  let time = 0
  const scheduler = createScheduler({ timeSliceMs: 1, maxWaitMs: 100, now: () => time })
  const piece = () => {
    time += 1
  }
  const besides = () => {
    time += 9
  }
  const waiting = new Set<Promise<void>>()
  const come = () => {
    const answer = Promise.resolve(scheduler.run('a', piece)).finally(() => waiting.delete(answer))
    waiting.add(answer)
  }
  for (let turn = 0; turn < 200; turn++) {
    while (waiting.size < 5) come()
    besides()
    await nextTurn()
  }
  let letIn = 0
  try {
    for (; letIn < 1000; letIn++) come()
  } catch (error) {
    assert.ok(error instanceof Problem)
  }
  // By their duration alone a hundred could be admitted; the measured throughput is four every 13 ms.
  assert.ok(letIn <= 40, `${letIn} let in`)
  await Promise.all(waiting)
})

test('clients that connect during work are all accepted before further work', async t => {
  let time = 0
  const scheduler = createScheduler({ timeSliceMs: 10, maxWaitMs: 10_000, now: () => time })
  let accepted = 0
  const acceptedAtWork: number[] = []
  const server = createServer((_, response) => {
    void Promise.resolve(
      scheduler.run('a', () => {
        acceptedAtWork.push(accepted)
        time += 10
      }),
    ).then(() => response.end())
  })
  server.on('connection', () => {
    accepted++
    scheduler.noteConnection()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const answers = Array.from({ length: 50 }, async () => {
    const asked = get({ host: '127.0.0.1', port, agent: false })
    const [response] = await once(asked, 'response')
    response.resume()
    await once(response, 'end')
  })
  await Promise.all(answers)
  // The first task started with the first call.
  assert.deepEqual([acceptedAtWork.length, acceptedAtWork[1]], [50, 50])
})

test('where all else takes most of the time, work gets a larger share of each turn', async () => {
  let time = 0
  const scheduler = createScheduler({ timeSliceMs: 4, maxWaitMs: 10_000, now: () => time })
  const done: number[] = []
  const answers = Array.from({ length: 40 }, () =>
    scheduler.run('a', () => {
      time += 1
      done.push(time)
    }),
  )
  const inTurns: number[] = []
  for (const besidesMs of [0, 0.5, 2, 100]) {
    const before = done.length
    time += besidesMs
    await nextTurn()
    inTurns.push(done.length - before)
  }
  assert.deepEqual(inTurns, [4, 4, 8, 16])
  await Promise.all(answers)
})

test('work that fails, at once or later, fails for its own caller alone', async () => {
  const { scheduler, work } = schedulerWithClock({ timeSliceMs: 10, maxWaitMs: 1000 })
  const fail = () => {
    throw new Error('at once')
  }
  assert.throws(() => scheduler.run('a', fail), /at once/)
  scheduler.run('a', work(10))
  const queued = [
    scheduler.run('a', fail),
    scheduler.run('a', async () => fail()),
    scheduler.run('a', work(1)),
  ]
  const outcomes = await Promise.allSettled(queued)
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  )
})

test('while work waits for I/O no further work starts, and then it continues', async () => {
  const { scheduler, done, work } = schedulerWithClock({ timeSliceMs: 10, maxWaitMs: 1000 })
  let end = () => {}
  const slow = scheduler.run('a', () => new Promise<void>(resolve => (end = resolve)))
  const next = scheduler.run('a', work(1))
  for (let turn = 0; turn < 3; turn++) await nextTurn()
  assert.deepEqual(done, [])
  end()
  await slow
  assert.equal(await next, 1)
})

test('only the maximum number of waiting tasks run concurrently, and the next starts when one ends', async () => {
  const scheduler = createScheduler({ maxConcurrency: 3, timeSliceMs: LONG_SLICE_MS })
  const ends: (() => void)[] = []
  const hanging = () => new Promise<void>(resolve => ends.push(resolve))
  const answers = Array.from({ length: 5 }, (_, client) => scheduler.run(String(client), hanging))
  await nextTurn()
  assert.equal(ends.length, 3)
  ends[1]?.()
  await answers[1]
  await nextTurn()
  assert.equal(ends.length, 4)
  for (let begun = 0; begun < 5; begun++) {
    ends[begun]?.()
    await nextTurn()
  }
  await Promise.all(answers)
  assert.equal(ends.length, 5)
})

test('time spent waiting for something else takes no share of the turn', async () => {
  const { scheduler, done, work } = schedulerWithClock({
    maxConcurrency: 8,
    timeSliceMs: 10,
    maxWaitMs: 1000,
  })
  let end = () => {}
  const slow = scheduler.run('a', () => new Promise<number>(resolve => (end = () => resolve(work(500)()))))
  end()
  await slow
  assert.equal(scheduler.run('a', work(4)), 4)
  assert.deepEqual(done, [500, 4])
})

test('queued requests are refused soon while work hangs, and none once it continues', async () => {
  const { told, ...hung } = schedulerOverHanging({ maxConcurrency: 2, queueTimeoutMs: 20 })
  const refused = await Promise.allSettled([
    hung.scheduler.run('a', () => 1),
    hung.scheduler.run('a', () => 2),
  ])
  for (const outcome of refused) {
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof Problem)
    assert.equal(outcome.reason.code, 'OVERLOADED')
  }
  assert.deepEqual(told, [true])
  await hung.end()
  assert.equal(
    hung.scheduler.run('a', () => 3),
    3,
  )
  assert.deepEqual(told, [true, false])
})

/** A scheduler at its maximum concurrency, with work that hangs until it is ended. */
function schedulerOverHanging(options: SchedulerOptions) {
  const told: boolean[] = []
  const scheduler = createScheduler({
    timeSliceMs: LONG_SLICE_MS,
    ...options,
    onOverload: overloaded => told.push(overloaded),
  })
  const ends: (() => void)[] = []
  const hanging = Array.from({ length: options.maxConcurrency ?? 1 }, (_, client) =>
    scheduler.run(String(client), () => new Promise<void>(resolve => ends.push(resolve))),
  )
  const end = async () => {
    for (const finish of ends) finish()
    await Promise.all(hanging)
    await nextTurn()
  }
  return { scheduler, told, end }
}

test("a client is refused for its own queue, never for another's", async () => {
  const { scheduler, work } = schedulerWithClock({ timeSliceMs: 10, maxWaitMs: 100 })
  for (let i = 0; i < 100; i++) await scheduler.run('greedy', work(20))
  const refused = { greedy: 0, modest: 0 }
  const answers: unknown[] = []
  const request = (client: keyof typeof refused, ms: number) => {
    try {
      answers.push(scheduler.run(client, work(ms)))
    } catch {
      refused[client]++
    }
  }
  for (let turn = 0; turn < 50; turn++) {
    for (let i = 0; i < 16; i++) request('greedy', 20)
    request('modest', 1)
    await nextTurn()
  }
  await Promise.all(answers)
  assert.ok(refused.greedy > 500, `${refused.greedy} refused`)
  assert.equal(refused.modest, 0)
})

test('clients share the time, not the number of tasks', async () => {
  const { scheduler, work } = schedulerWithClock({
    timeSliceMs: 10,
    maxWaitMs: 10_000,
    queueTimeoutMs: 10_000,
  })
  const ended: string[] = []
  const request = async (client: string, ms: number) => {
    await scheduler.run(client, work(ms))
    ended.push(client)
  }
  const answers = [request('first', 20)]
  for (let i = 0; i < 100; i++) answers.push(request('long', 20))
  for (let i = 0; i < 100; i++) answers.push(request('short', 1))
  await Promise.all(answers)
  const longBefore = ended.slice(0, ended.lastIndexOf('short')).filter(client => client === 'long').length
  // In the 100 ms of the short tasks the other client gets about as much, and a first turn.
  assert.ok(longBefore <= 10, `${longBefore} long tasks before the last short one`)
})

test('a client alone may use all of the time', async () => {
  const { scheduler, done, work } = schedulerWithClock({
    timeSliceMs: 10,
    maxWaitMs: 1000,
    queueTimeoutMs: 5000,
  })
  const answers = Array.from({ length: 30 }, () => scheduler.run('a', work(20)))
  await Promise.all(answers)
  assert.equal(done.length, 30)
})

test('one client never occupies every place of tasks that wait for something else', async () => {
  const scheduler = createScheduler({ maxConcurrency: 3, timeSliceMs: LONG_SLICE_MS, queueTimeoutMs: 5000 })
  const ends: (() => void)[] = []
  const hanging = () => new Promise<void>(resolve => ends.push(resolve))
  const greedy = Array.from({ length: 5 }, () => scheduler.run('greedy', hanging))
  await nextTurn()
  assert.equal(ends.length, 2)
  assert.equal(await scheduler.run('modest', async () => 'served'), 'served')
  for (let ended = 0; ended < 5; ended++) {
    ends[ended]?.()
    await nextTurn()
  }
  await Promise.all(greedy)
})

/** A scheduler for requests that take a millisecond each, and the clients of the started requests, in order. */
function schedule() {
  let time = 0
  const scheduler = createScheduler({ now: () => time })
  const started: string[] = []
  const ask = (client: string, isLater = false) => {
    const begin = () => {
      time++
      started.push(client)
    }
    if (!isLater && scheduler.hasTime()) begin()
    else scheduler.startLater(client, begin)
  }
  /** Does work that takes so many milliseconds. */
  const work = (ms: number) =>
    scheduler.run('worker', () => {
      time += ms
    })
  return { ask, started, work }
}

test('requests are started as they come, four milliseconds of them, the rest in later turns, sixteen in each', async () => {
  const { ask, started } = schedule()
  for (let n = 0; n < 40; n++) ask('a')
  const after = [started.length]
  for (let turn = 0; turn < 3; turn++) {
    await nextTurn()
    after.push(started.length)
  }
  assert.deepEqual(after, [4, 20, 36, 40])
  ask('a')
  assert.equal(started.length, 41)
})

test('waiting requests get half as much time as work took in the turn before', async () => {
  const { ask, started, work } = schedule()
  work(60)
  for (let n = 0; n < 40; n++) ask('a', true)
  await nextTurn()
  assert.equal(started.length, 30)
})

test('a client waits for its own requests, not for the hundreds of another', async () => {
  const { ask, started } = schedule()
  for (let n = 0; n < 400; n++) ask('many')
  ask('one')
  for (let turn = 0; turn < 3; turn++) await nextTurn()
  assert.ok(started.includes('one'), `${started.length} others were started before`)
})

test('what is to start later never starts in this turn', async () => {
  const { ask, started } = schedule()
  ask('a', true)
  assert.deepEqual(started, [])
  await nextTurn()
  assert.deepEqual(started, ['a'])
})

test('while requests wait to be started, work waits for the end of the turn', async () => {
  const scheduler = createScheduler()
  const done: string[] = []
  scheduler.startLater('a', () => done.push('started'))
  const work = scheduler.run('b', () => done.push('worked'))
  assert.deepEqual(done, [])
  await work
  assert.deepEqual(done, ['started', 'worked'])
})

test('a part of one client waits for one part of each other client, however many they have', async () => {
  const { inLaterTurn } = createScheduler()
  const done: string[] = []
  await new Promise<void>(resolve => {
    for (let part = 0; part < 100; part++) inLaterTurn('many', () => done.push('many') > 0)
    inLaterTurn('few', () => done.push('few') > 0)
    inLaterTurn('few', () => {
      done.push('few')
      resolve()
      return true
    })
  })
  assert.deepEqual(done, ['many', 'few', 'many', 'few'])
})

test('a part that is added by another is done, and none twice', async () => {
  const { inLaterTurn } = createScheduler()
  const done: number[] = []
  await new Promise<void>(resolve => {
    const part = (number: number) => () => {
      done.push(number)
      if (number === 50) resolve()
      else inLaterTurn('one', part(number + 1))
      return false
    }
    inLaterTurn('one', part(1))
  })
  assert.deepEqual(
    done,
    Array.from({ length: 50 }, (_, index) => index + 1),
  )
})

test('parts that are over are let go at once, however many a client has', async () => {
  const { inLaterTurn } = createScheduler()
  const done: string[] = []
  let isOver = false
  await new Promise<void>(resolve => {
    for (let part = 0; part < 1000; part++)
      inLaterTurn(
        'gone',
        () => done.push('gone') > 0,
        () => isOver,
      )
    isOver = true
    inLaterTurn('here', () => done.push('here') > 0)
    inLaterTurn('here', () => {
      resolve()
      return true
    })
  })
  assert.deepEqual([done.length, done.at(-1)], [1001, 'here'])
})
