/* What `build/docs/` makes of the Markdown in docs/. */

declare module 'virtual:documentation' {
  export const DOCUMENTS: readonly import('./document.ts').DocumentPage[]
}

declare module 'virtual:documentation-search' {
  export const ENTRIES: readonly import('./search.ts').Entry[]
}
