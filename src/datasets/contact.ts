import Type from 'typebox'
import { line } from '../values/line.ts'

/** An address that pages link. Its scheme cannot run a script, and it has no user and password. */
export const webAddress = () =>
  Type.String({
    pattern: '^https?://[^\\s/?#@\\\\]+([/?#]\\S*)?$',
    maxLength: 2000,
    description: 'an address that starts with http:// or https://, without a user and a password',
  })

/** The contact for questions (as OpenAPI's Contact Object). */
export const Contact = Type.Object(
  {
    name: Type.Optional(line(200)),
    email: Type.Optional(
      Type.String({
        pattern: '^[^\\s@<>"?&/:]+@[^\\s@<>"?&/:]+$',
        maxLength: 254,
        description: 'an email address',
      }),
    ),
    url: Type.Optional(webAddress()),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    description: 'an object with name, email or url, or several of them',
  },
)
export type Contact = Type.Static<typeof Contact>
