import { test } from 'node:test'
import { killImports } from '../support/killed-imports.ts'

test('50 imports killed at random moments: the old or the new release is always served in full', t =>
  killImports(t, 50))
