import type { Site } from '../../../src/interfaces/web/explorer.ts'
import { to } from '../address.ts'
import { ContactLinks } from '../parts/contact-links.tsx'
import { shell } from '../texts/en/shell.ts'

const LINKS = [
  ['/status', shell.status],
  ['/accessibility', shell.accessibility],
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
            {shell.contact} <ContactLinks of={contact} />
          </p>
        )}
      </div>
    </footer>
  )
}
