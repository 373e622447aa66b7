import type { ComponentChildren } from 'preact'
import type { DocumentPage } from './document.ts'
import { Navigation } from './navigation.tsx'
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
