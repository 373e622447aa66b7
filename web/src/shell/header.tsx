import type { Site } from '../../../src/interfaces/web/explorer.ts'
import { to } from '../address.ts'
import { shell } from '../texts/en/shell.ts'

/** The characters that the search takes. */
export const LONGEST_QUESTION = 100

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
        <a class="search-link" href={to('/search#field-q')} aria-current={currentOf('/search', path)}>
          {shell.search}
        </a>
        <nav aria-label={shell.navigation}>
          <ul>
            {PARTS.map(part => (
              <li key={part.path}>
                <a href={to(part.path)} aria-current={currentOf(part.path, path)}>
                  {part.name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {path !== '/search' && <SearchField />}
      </div>
    </header>
  )
}

function SearchField() {
  return (
    <search class="search-field">
      <form action={to('/search')} method="get">
        <input
          name="q"
          type="search"
          aria-label={shell.searchLabel}
          placeholder={shell.search}
          autocomplete="off"
          maxLength={LONGEST_QUESTION}
          required
        />
        <button type="submit">{shell.search}</button>
      </form>
    </search>
  )
}

function currentOf(part: string, path: string): 'page' | 'true' | undefined {
  if (path === part) return 'page'
  return path.startsWith(`${part}/`) ? 'true' : undefined
}
