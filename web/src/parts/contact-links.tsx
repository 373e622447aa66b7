import type { Site } from '../../../src/interfaces/web/explorer.ts'

/** The name of a contact, with links to its email address and its page. */
export function ContactLinks({ of: { name, email, url } }: { readonly of: NonNullable<Site['contact']> }) {
  return (
    <>
      {name} {email !== undefined && <a href={`mailto:${email}`}>{email}</a>}{' '}
      {url !== undefined && <a href={url}>{url}</a>}
    </>
  )
}
