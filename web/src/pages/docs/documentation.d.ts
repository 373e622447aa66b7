/* The module that `build/docs/` makes from the Markdown in docs/. */

declare module 'virtual:documentation' {
  export const DOCUMENTS: readonly import('./document.ts').DocumentPage[]
}

declare module 'virtual:documentation-search' {
  /** As text. */
  export const INDEX: string
  export const OPTIONS: import('minisearch').Options<import('./search.ts').Entry>
}
