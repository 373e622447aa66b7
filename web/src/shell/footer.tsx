import type { Site } from '../../../src/interfaces/web/explorer.ts'
import { to } from '../address.ts'
import { shell } from '../texts/en/shell.ts'
import { text } from '../texts/text.ts'

const LINKS = [
  ['/status', shell.status],
  ['/docs/explanation/privacy', shell.privacy],
  ['/openapi.json', shell.openapi],
  ['/llms.txt', shell.agents],
] as const

/** The links and the contact at the end of each page. */
export function Footer({ site: { contact, description } }: { readonly site: Site }) {
  return (
    <footer class="site-footer">
      <div class="bar">
        {description !== undefined && <p>{description}</p>}
        <ul>
          {LINKS.map(([path, words]) => (
            <li key={path}>
              <a href={to(path)}>{words}</a>
            </li>
          ))}
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
