import type { Site } from '../../../src/interfaces/web/explorer.ts'
import { to } from '../address.ts'
import { shell } from '../texts/en/shell.ts'
import { text } from '../texts/text.ts'

/** The links and the contact at the end of each page. */
export function Footer({ site: { contact, description } }: { readonly site: Site }) {
  return (
    <footer class="site-footer">
      <div class="bar">
        {description !== undefined && <p>{description}</p>}
        <ul>
          <li>
            <a href={to('/status')}>{shell.status}</a>
          </li>
          <li>
            <a href={to('/docs/explanation/privacy')}>{shell.privacy}</a>
          </li>
          <li>
            <a href={to('/openapi.json')}>{shell.openapi}</a>
          </li>
          <li>
            <a href={to('/llms.txt')}>{shell.agents}</a>
          </li>
        </ul>
        {contact !== undefined && (
          <p>
            {text(shell.contact, { name: contact.name ?? '' })}{' '}
            {contact.email !== undefined && <a href={`mailto:${contact.email}`}>{contact.email}</a>}{' '}
            {contact.url !== undefined && <a href={contact.url}>{contact.url}</a>}
          </p>
        )}
      </div>
    </footer>
  )
}
