import type { Site } from '../../../src/interfaces/web/explorer.ts'
import { otherLanguage, to } from '../address.ts'
import { shell } from '../texts/en/shell.ts'
import { Languages } from './languages.tsx'
import { SearchField } from './search-field.tsx'

/** The parts of the explorer, as its navigation lists them. */
const PARTS = [
  { path: '/parking', name: shell.parking },
  { path: '/map', name: shell.map },
  { path: '/vehicles', name: shell.vehicles },
  { path: '/recalls', name: shell.recalls },
  { path: '/data', name: shell.data },
  { path: '/docs', name: shell.docs },
]

/** The title of the service with a link to its front page, and links to the parts. */
export function Header({ site, path = '' }: { readonly site: Site; readonly path: string | undefined }) {
  return (
    <header class="site-header">
      <div class="bar">
        <a class="site-title" href={to('/')}>
          {site.title}
        </a>
        {/* Phones have no room for the field. The link leads into the field of the page, which needs no script. */}
        <a class="search-link" href={to('/search#question')} aria-current={currentOf('/search', path)}>
          {shell.search}
        </a>
        <nav aria-label={shell.navigation}>
          <ul>
            {PARTS.map(part => (
              <li key={part.path}>
                <a
                  href={to(part.path)}
                  hreflang={otherLanguage(part.path)}
                  aria-current={currentOf(part.path, path)}
                >
                  {part.name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {path !== '/search' && <SearchField id="site-search" />}
        <Languages site={site} path={path} />
      </div>
    </header>
  )
}

function currentOf(part: string, path: string): 'page' | 'true' | undefined {
  if (path === part) return 'page'
  return path.startsWith(`${part}/`) ? 'true' : undefined
}
