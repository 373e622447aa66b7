import { createMessage } from '../../notifications/notification.ts'
import { sendWebhook } from '../../notifications/webhook.ts'
import { shownAddress } from '../../values/addresses/shown-address.ts'
import { type DefineCommand, Refused, UsageError } from '../cli.ts'
import { print } from '../output/print.ts'

/** `pds notify --test`: sends a test notification to NOTIFY_URL, once, and says what came back. */
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
