import { coloured, columns, visible } from '../output/text.ts'

/** The result of one check of the doctor. */
export interface Check {
  /** `warn`: the subject works, but perhaps not as intended; `fail`: it does not work. */
  readonly status: 'ok' | 'warn' | 'fail'
  readonly subject: string
  readonly finding: string
  /** The remedy; absent for `ok`. */
  readonly advice?: string
}

export const ok = (subject: string, finding: string): Check => ({ status: 'ok', subject, finding })

const advise =
  (status: 'warn' | 'fail') =>
  (subject: string, finding: string, advice: string): Check => ({ status, subject, finding, advice })

export const warn = advise('warn')
export const fail = advise('fail')

const MEANINGS = { ok: 'good', warn: 'doubtful', fail: 'bad' } as const

/** Formats the checks, one per line, each followed by its advice. */
export function checksText(checks: readonly Check[]): string[] {
  const lines = columns(
    checks.map(({ status, subject, finding }) => [
      coloured(status, MEANINGS[status]),
      subject,
      visible(finding),
    ]),
  )
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
