import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inLaterTurn } from './turns.ts'

test('a part of one client waits for one part of each other client, however many they have', async () => {
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
