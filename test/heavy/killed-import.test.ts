import { test } from 'node:test'
import { killImports } from '../support/killed-imports.ts'

test('50 imports killed at random moments: the old release or the new one is always served whole', t =>
  killImports(t, 50))
