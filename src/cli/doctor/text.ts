import { columns } from '../columns.ts'
import { visible } from '../visible.ts'
import type { Check } from './check.ts'

/** Formats the checks, one per line, each followed by its advice. */
export function checksText(checks: readonly Check[]): string[] {
  const lines = columns(checks.map(({ status, subject, finding }) => [status, subject, visible(finding)]))
  return [
    ...checks.flatMap(({ advice }, index) => [
      lines[index] ?? '',
      ...(advice === undefined ? [] : [`      -> ${advice}`]),
    ]),
    '',
    summary(checks),
  ]
}

function summary(checks: readonly Check[]): string {
  const number = (status: Check['status']) => checks.filter(check => check.status === status).length
  return `${number('ok')} ok, ${number('warn')} to look at, ${number('fail')} to fix`
}
