import Type from 'typebox'
import { NotAllowed, type ValueType } from './values.ts'

const PREFIX = 'whsec_'
const ALLOWED = `${PREFIX} and base64 of 24 to 64 bytes, such as \`echo ${PREFIX}$(openssl rand -base64 32)\` prints`

/** A secret that signs webhooks, in the form of Standard Webhooks; messages never show any of it. */
export const webhookSecret = (): ValueType<string> => ({
  allowed: ALLOWED,
  schema: Type.String(),
  format: value => value,
  shown: () => '…',
  parse(text) {
    const { length } = webhookKey(text)
    const isBase64 = /^whsec_(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(text)
    if (!isBase64 || length < 24 || length > 64) throw new NotAllowed(`must be ${ALLOWED}`)
    return text
  },
})

/** The bytes of a secret. */
export const webhookKey = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64')
