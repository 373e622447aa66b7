import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotAllowed } from '../values.ts'
import { databaseAddress } from './addresses.ts'

test('a store is in a folder or in a PostgreSQL database', () => {
  const { parse } = databaseAddress()
  for (const address of [
    'sqlite:./data',
    'sqlite:/var/lib/pds',
    'postgres://h/db',
    'postgresql://a:b@h,i/db?x=1',
  ])
    assert.equal(parse(address), address)
})

test('anything else is refused, and not repeated, as it may hold a password', () => {
  for (const address of [
    '',
    './data',
    'sqlite:',
    'postgres:',
    'postgres:me:secret@h/db',
    'mysql://me:secret@h/db',
  ])
    assert.throws(
      () => databaseAddress().parse(address),
      (error: Error) => error instanceof NotAllowed && !error.message.includes('secret'),
      address,
    )
})
