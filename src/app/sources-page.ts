import type { SourceStatus } from '../releases/schedule/follow-sources.ts'
import { type Html, html } from '../values/html.ts'
import { operatorPage } from './operator-page.ts'

const COLUMNS = ['Dataset', 'Source', 'Outcome', 'Tried', 'Changed', 'Refused', 'Failing since', 'Next']

/** Renders the operator's page about the followed sources. */
export function sourcesPage(sources: readonly SourceStatus[]): string {
  const head = COLUMNS.map(name => html`<th scope="col">${name}</th>`)
  const none = sources.length === 0 ? html`<p>None: SOURCES names no file with sources.</p>` : html``
  const body = html`${none}
<div><table border="1" cellpadding="5">
<thead><tr>${head}</tr></thead>
<tbody>
${sources.map(row)}</tbody>
</table></div>
<p>Times are UTC. As JSON: <a href="/sources.json">/sources.json</a></p>`
  return operatorPage('Sources', body)
}

function row({ dataset, address, state }: SourceStatus): Html {
  const { outcome = 'not tried yet', reason, triedAt, changed, refused, failingSince, dueAt } = state ?? {}
  const cells: (string | Html | null | undefined)[] = [
    address,
    reason ? `${outcome}: ${reason}` : outcome,
    triedAt,
    changed && withNotes(`${changed.at}, release ${changed.release}`, changed.notes),
    refused && withNotes(`${refused.at}: ${refused.reason}`, refused.notes),
    failingSince,
    dueAt ?? 'at once',
  ]
  return html`<tr><th scope="row">${dataset}</th>${cells.map(cell => html`<td>${cell ?? ''}</td>`)}</tr>
`
}

const withNotes = (text: string, notes: readonly string[] = []): Html =>
  html`${text}${notes.length === 0 ? '' : html`<ul>${notes.map(note => html`<li>${note}</li>`)}</ul>`}`
