import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf, paginationLinks } from './pagination.ts'

const links = (page: number, totalItems: number) =>
  paginationLinks('/v1/vehicles', `page=${page}&limit=10&make=a+b`, pageOf({ page, limit: 10 }, totalItems))
    .link ?? ''

test('counts pages exactly, none for nothing', () => {
  assert.deepEqual(pageOf({ page: 3, limit: 10 }, 21), { page: 3, limit: 10, totalPages: 3, totalItems: 21 })
  assert.equal(pageOf({ page: 1, limit: 10 }, 20).totalPages, 2)
  assert.equal(pageOf({ page: 1, limit: 10 }, 0).totalPages, 0)
})

test('links to first, previous, next and last, each with the whole query', () => {
  assert.equal(
    links(2, 21),
    '</v1/vehicles?page=1&limit=10&make=a+b>; rel="first", </v1/vehicles?page=1&limit=10&make=a+b>; rel="prev", ' +
      '</v1/vehicles?page=3&limit=10&make=a+b>; rel="next", </v1/vehicles?page=3&limit=10&make=a+b>; rel="last"',
  )
})

test('has no previous on the first page and no next on the last', () => {
  assert.doesNotMatch(links(1, 21), /prev/)
  assert.doesNotMatch(links(3, 21), /next/)
})

test('leads back from a page past the end to the last that has entries', () => {
  assert.match(links(9, 21), /page=3&[^>]*>; rel="prev"/)
  assert.doesNotMatch(links(9, 21), /next/)
  assert.match(links(5, 0), /page=1&[^>]*>; rel="last"/)
})
