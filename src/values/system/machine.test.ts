import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { emptyFolder } from '../../../test/support/folder.ts'
import { availableCores } from './machine.ts'

test('the cores are those of the machine, or whole ones within the limit of the control group', async t => {
  const folder = await emptyFolder(t)
  const cores = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    return availableCores(folder)
  }
  assert.equal(cores({}), availableParallelism())
  assert.equal(cores({ 'cpu.max': 'max 100000\n' }), availableParallelism())
  assert.equal(cores({ 'cpu.max': '150000 100000\n' }), 1)
  assert.equal(cores({ 'cpu.max': '50000 100000\n' }), 1)
  mkdirSync(join(folder, 'cpu'))
  const version1 = { 'cpu.max': '', 'cpu/cpu.cfs_period_us': '100000\n' }
  assert.equal(cores({ ...version1, 'cpu/cpu.cfs_quota_us': '-1\n' }), availableParallelism())
  assert.equal(cores({ ...version1, 'cpu/cpu.cfs_quota_us': '100000\n' }), 1)
})
