import type { Dataset } from '../datasets/dataset.ts'
import { Problem } from '../errors.ts'
import { acceptCommand, entryLine, notesOf } from '../releases/import/notes.ts'
import type { ImportReport } from '../releases/import/report.ts'
import type { JournalEntry, Store } from '../store/store.ts'
import { type Html, html } from '../values/html.ts'
import { counted } from '../values/numbers.ts'
import { operatorPage } from './operator-page.ts'

const LISTED = 30

/** The releases of a dataset, its newest entries, and the report of its latest import. */
export type DatasetJournal = Awaited<ReturnType<typeof readJournals>>[number]

/** Reads what the pages of the journal show. */
export function readJournals(store: Store, datasets: readonly Dataset[]) {
  const readings = datasets.map(async ({ name: dataset }) => {
    const entries = await store.journal.list(dataset)
    const latest = entries.find(({ event }) => event !== 'rolled back' && event !== 'restored')
    const report = latest && (await store.journal.report(dataset, latest.number))
    const releases = await store.releases.list(dataset)
    return { dataset, releases, entries: entries.slice(0, LISTED), latest, report }
  })
  return Promise.all(readings)
}

/** Renders the journal of a dataset, or links to all. Throws NOT_FOUND for an unknown dataset. */
export function journalPage(journals: readonly DatasetJournal[], dataset?: string): string {
  const shown = journals.find(journal => journal.dataset === dataset)
  if (dataset !== undefined && shown === undefined)
    throw new Problem('NOT_FOUND', `There is no dataset ${dataset}; /journal lists all.`)
  const links = journals.map(one => html`<a href="/journal/${one.dataset}">${one.dataset}</a> `)
  const body = html`<nav>${links}</nav>${shown === undefined ? '' : bodyOf(shown)}<p>Times are UTC.</p>`
  return operatorPage(dataset ?? 'Journal', body)
}

function bodyOf({ dataset, releases, entries, latest, report }: DatasetJournal): Html {
  const kept = releases.map(
    ({ number, currentSince, rows, publishedAt, changes: { added, changed, removed } }) => {
      const line = `${number}, ${counted(rows, 'row')}, published ${publishedAt}, +${added} ~${changed} -${removed}: `
      const command = html`<code>pds rollback ${dataset} ${String(number)}</code>`
      return html`${line}${currentSince === null ? command : html`<strong>current</strong>`}`
    },
  )
  return html`
<h2>Last import</h2>${latest ? lastImport(latest, report as ImportReport) : ''}
<h2>Releases</h2>${list(kept)}
<h2>Journal</h2>${list(entries.map(entryLine))}`
}

function lastImport(entry: JournalEntry, report: ImportReport): Html {
  const { read, accepted, rejected, added, changed, removed } = report
  const command = acceptCommand(entry, report)
  const would = entry.event === 'refused' ? 'It would have changed' : 'It changed'
  return html`<p>${entryLine(entry)}</p>
<p>${`Of ${counted(read, 'row')}, ${accepted} were accepted and ${rejected} rejected. ${would}: +${added} ~${changed} -${removed}.`}</p>
${list(notesOf(report))}${command === undefined ? '' : html`<p>To publish it as it is: <code>${command}</code></p>`}`
}

const list = (items: readonly (string | Html)[]): Html =>
  html`<ul>${items.map(item => html`<li>${item}</li>`)}</ul>`
