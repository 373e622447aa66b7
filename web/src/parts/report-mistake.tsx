import type { Site } from '../../../src/interfaces/web/explorer.ts'
import { absolute } from '../address.ts'
import { parts } from '../texts/en/parts.ts'
import { text } from '../texts/text.ts'

interface ReportMistakeProps {
  readonly site: Site
  /** The name of the record. */
  readonly name: string
  /** The path of its page. */
  readonly path: string
}

/** A link to write to the operator about a record, or to the operator's page. Nothing without a contact. */
export function ReportMistake({ site: { contact }, name, path }: ReportMistakeProps) {
  const subject = encodeURIComponent(text(parts.mistakeIn, { name }))
  const body = encodeURIComponent(text(parts.mistakeText, { address: absolute(path) }))
  const href = contact?.email ? `mailto:${contact.email}?subject=${subject}&body=${body}` : contact?.url
  return href === undefined ? null : (
    <p class="no-print">
      <a href={href}>{parts.reportMistake}</a>
    </p>
  )
}
