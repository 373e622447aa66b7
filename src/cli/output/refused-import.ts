import type { Config } from '../../config.ts'
import { type Noted, notesOf } from '../../releases/import/notes.ts'
import { shownAddress } from '../../values/addresses/shown-address.ts'

const WITHIN_MS = 5000

/** Tells NOTIFY_URL, if it is set, that an import was refused; says on standard error if it could not be told. */
export async function notifyRefused(
  { NOTIFY_URL: url, NOTIFY_SECRET: secret }: Pick<Config, 'NOTIFY_URL' | 'NOTIFY_SECRET'>,
  report: Noted & { readonly dataset: string; readonly source: string },
): Promise<void> {
  if (url === undefined) return
  // Imported lazily: most imports are not refused.
  const { createMessage } = await import('../../notifications/notification.ts')
  const { sendWebhook } = await import('../../notifications/webhook.ts')
  const { dataset, source, reason = '' } = report
  const shown = source.includes('://') ? shownAddress(source) : source
  const now = new Date()
  const data = { dataset, source: shown, reason, notes: notesOf(report) }
  const message = createMessage({ type: 'import.refused', data }, now)
  const sent = await sendWebhook({ url, secret }, message, { now, deadlineMs: WITHIN_MS })
  if (sent.outcome !== 'delivered')
    process.stderr.write(`NOTIFY_URL could not be told of this: ${sent.reason}\n`)
}
