import type { Site } from '../../../src/interfaces/web/explorer.ts'
import { dataLanguage, otherLanguage, to } from '../address.ts'
import { ContactLinks } from '../parts/contact-links.tsx'
import { shell } from '../texts/en/shell.ts'
import { Unchecked } from './languages.tsx'

const LINKS = [
  ['/status', shell.status],
  ['/accessibility', shell.accessibility],
  ['/docs/explanation/privacy', shell.privacy],
  ['/openapi.json', shell.openapi],
  ['/llms.txt', shell.agents],
] as const

interface FooterProps {
  readonly site: Site
  readonly path: string | undefined
}

/** The links and the contact at the end of each page. */
export function Footer({ site: { contact, description }, path }: FooterProps) {
  return (
    <footer class="site-footer">
      <div class="bar">
        <Unchecked path={path} />
        {description !== undefined && <p lang={dataLanguage}>{description}</p>}
        <ul>
          {LINKS.map(([path, words]) => (
            <li key={path}>
              <a href={to(path)} hreflang={otherLanguage(path)}>
                {words}
              </a>
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
