import type { ComponentChildren } from 'preact'
import { to } from '../../address.ts'
import { docs } from '../../texts/en/docs.ts'
import { type DocumentPage, SECTIONS } from './document.ts'
import { SearchForm } from './search-form.tsx'

interface LayoutProps {
  readonly pages: readonly Pick<DocumentPage, 'path' | 'section' | 'title'>[]
  readonly current: string
  readonly children: ComponentChildren
}

/** A page of the documentation, with search and all pages beside it, or below it on a phone. */
export function Layout({ pages, current, children }: LayoutProps) {
  return (
    <div class="docs">
      <article>{children}</article>
      <div class="docs-side">
        <SearchForm />
        <Navigation pages={pages} current={current} />
      </div>
    </div>
  )
}

/** Every page of the documentation by its kind. The kind of the present page is open. */
function Navigation({ pages, current }: Omit<LayoutProps, 'children'>) {
  return (
    <nav class="docs-nav no-print" aria-label={docs.title}>
      <p>
        <a href={to('/docs')} aria-current={current === '/docs' ? 'page' : undefined}>
          {docs.all}
        </a>
      </p>
      {SECTIONS.map(({ name, title }) => {
        const path = `/docs/${name}`
        const isOpen = current === path || current.startsWith(`${path}/`)
        return (
          <details key={name} open={isOpen}>
            <summary>{title}</summary>
            <ul>
              {name === 'reference' && (
                <li>
                  <a href={to('/docs/api')}>{docs.tryApi}</a>
                </li>
              )}
              {pages
                .filter(({ section }) => section === name)
                .map(page => (
                  <li key={page.path}>
                    <a href={to(page.path)} aria-current={page.path === current ? 'page' : undefined}>
                      {page.title}
                    </a>
                  </li>
                ))}
            </ul>
          </details>
        )
      })}
    </nav>
  )
}
