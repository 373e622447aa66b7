import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counted, figure } from './numbers.ts'

test('numbers have thousands separators', () => {
  assert.deepEqual([0, 999, 128_894, 1.25].map(figure), ['0', '999', '128,894', '1.3'])
  assert.deepEqual([counted(1, 'row'), counted(1000, 'row')], ['1 row', '1,000 rows'])
})
