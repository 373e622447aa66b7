import type { Site } from '../../../src/interfaces/web/explorer.ts'
import { to } from '../address.ts'

/** The parts of the explorer, as its navigation lists them. */
const PARTS = [
  { path: '/parking', name: 'Parking' },
  { path: '/map', name: 'Map' },
  { path: '/vehicles', name: 'Vehicles' },
  { path: '/recalls', name: 'Recalls' },
  { path: '/data', name: 'Data' },
  { path: '/docs', name: 'Docs' },
]

/** The title of the service, which leads to its front page, and the parts. */
export function Header({ site, path = '' }: { readonly site: Site; readonly path: string | undefined }) {
  return (
    <header class="site-header">
      <div class="bar">
        <a class="site-title" href={to('/')}>
          {site.title}
        </a>
        <nav aria-label="Main">
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
      </div>
    </header>
  )
}

function currentOf(part: string, path: string): 'page' | 'true' | undefined {
  if (path === part) return 'page'
  return path.startsWith(`${part}/`) ? 'true' : undefined
}
