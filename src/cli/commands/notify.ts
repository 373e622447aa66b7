import type { Config } from '../../config.ts'
import { createMessage } from '../../notifications/notification.ts'
import { sendWebhook } from '../../notifications/webhook.ts'
import { type Noted, notesOf } from '../../releases/import/notes.ts'
import { shownAddress } from '../../values/addresses/shown-address.ts'
import { type DefineCommand, Refused, UsageError } from '../cli.ts'
import { print } from '../output/print.ts'

/** `pds notify --test`: sends a test notification to NOTIFY_URL, once, and prints the result. */
export const defineCommand: DefineCommand = (command, cli) => {
  command
    .description('send a test notification to NOTIFY_URL')
    .requiredOption('--test', 'send it: nothing else is sent by hand')
    .action(async () => {
      const { NOTIFY_URL: url, NOTIFY_SECRET: secret } = cli.config()
      if (url === undefined)
        throw new UsageError('NOTIFY_URL is not set: set it to the address of the webhook to be told')
      const now = new Date()
      const message = createMessage({ type: 'notification.test', data: {} }, now)
      const sent = await sendWebhook({ url, secret }, message, { now })
      const receiver = `NOTIFY_URL (${shownAddress(url)})`
      if (sent.outcome !== 'delivered')
        throw new Refused(
          `${receiver} did not take the test notification: ${sent.reason}; check the address, and that this machine may reach it`,
        )
      const signed = secret === undefined ? 'not signed, for NOTIFY_SECRET is not set' : 'signed'
      print(`${receiver} took the test notification, ${signed}: status ${sent.status}`)
    })
}

const WITHIN_MS = 5000

/** Notifies NOTIFY_URL, if it is set, of a refused import. If this fails, says so on standard error. */
export async function notifyRefused(
  { NOTIFY_URL: url, NOTIFY_SECRET: secret }: Pick<Config, 'NOTIFY_URL' | 'NOTIFY_SECRET'>,
  report: Noted & { readonly dataset: string; readonly source: string },
): Promise<void> {
  if (url === undefined) return
  const { dataset, source, reason = '' } = report
  const shown = source.includes('://') ? shownAddress(source) : source
  const now = new Date()
  const data = { dataset, source: shown, reason, notes: notesOf(report) }
  const message = createMessage({ type: 'import.refused', data }, now)
  const sent = await sendWebhook({ url, secret }, message, { now, deadlineMs: WITHIN_MS })
  if (sent.outcome !== 'delivered')
    process.stderr.write(`NOTIFY_URL could not be told of this: ${sent.reason}\n`)
}
