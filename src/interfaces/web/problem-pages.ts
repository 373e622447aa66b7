import { PROBLEMS, type ProblemCode } from '../../errors.ts'
import { problemPath } from '../../http/response/problem-response.ts'
import { html, page, type Site } from './page.ts'

/** Renders the pages that explain problems; the `type` of every error is the path of one. */
export function problemPages(site: Site): { path: string; html: string }[] {
  return (Object.keys(PROBLEMS) as ProblemCode[]).map(code => {
    const { status, title, hint } = PROBLEMS[code]
    const body = html`<p><code>${code}</code>, HTTP status ${String(status)}</p><p>${hint}</p><p><a href="/">The datasets</a></p>`
    return { path: problemPath(code), html: page({ title, body, site }) }
  })
}
