import { test } from 'node:test'
import { killImports } from '../support/killed-imports.ts'

test('an import killed at any moment leaves the old release or the new one, whole, and a service that goes on', t =>
  killImports(t, 6))
