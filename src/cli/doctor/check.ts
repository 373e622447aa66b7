/** The result of one check of the doctor. */
export interface Check {
  /** `warn`: it works, but perhaps not as intended; `fail`: it does not work. */
  readonly status: 'ok' | 'warn' | 'fail'
  readonly subject: string
  readonly finding: string
  /** What to do; absent for `ok`. */
  readonly advice?: string
}

export const ok = (subject: string, finding: string): Check => ({ status: 'ok', subject, finding })

export const warn = (subject: string, finding: string, advice: string): Check => ({
  status: 'warn',
  subject,
  finding,
  advice,
})

export const fail = (subject: string, finding: string, advice: string): Check => ({
  status: 'fail',
  subject,
  finding,
  advice,
})
