import { isObject, memberOf } from '../values/values.ts'

/** The members with which paged interfaces describe a page, by meaning. A slash leads into an object. */
const MEMBERS = {
  /** The number of records on all pages. */
  records:
    'pagination/totalItems totalItems total_count totalCount meta/total_count numberMatched @odata.count',
  /** The number of records on all pages, or on this page alone: servers differ. */
  count: 'count total pagination/total meta/total',
  /** The number of all pages. */
  pages: 'pagination/totalPages totalPages total_pages',
  /** Whether another page follows. */
  more: 'exceededTransferLimit properties/exceededTransferLimit pagination/nextCursor hasMore has_more',
  /** The address of the next page, or a list of links that has one. */
  next: 'next links links/next _links/next pagination/next meta/next @odata.nextLink',
}
type Meaning = keyof typeof MEMBERS

/** Compares the stated size of a source with the pages and records that were read. */
export function createCompleteness() {
  const said = new Map<Meaning, { readonly member: string; readonly value: number | string }>()

  function lacks(meaning: Meaning, held: number, what: string): string | undefined {
    const { member, value = 0 } = said.get(meaning) ?? {}
    return held < Number(value) ? `the source holds ${held} of ${value} ${what} (${member})` : undefined
  }

  function found(pages: number, records: number): string | undefined {
    // Pages that somebody joined often keep the links and the page count of the first page: the total decides.
    if (said.has('records')) return lacks('records', records, 'records')
    const { member } = said.get('next') ?? said.get('more') ?? {}
    const follows = member && `more records follow the ${records} in the source (${member})`
    return lacks('count', records, 'records') ?? lacks('pages', pages, 'pages') ?? follows
  }

  return {
    /** Begins a page. Only the last page says whether more pages follow. */
    startPage(): void {
      said.delete('more')
      said.delete('next')
    },
    /** Takes a member of the page's document. */
    note(name: string, given: unknown): void {
      for (const [meaning, members] of Object.entries(MEMBERS) as [Meaning, string][])
        for (const member of members.split(' ')) {
          const [first, ...inner] = member.split('/')
          const value = first === name ? READERS[meaning](inner.reduce(memberOf, given)) : undefined
          if (value !== undefined) said.set(meaning, { member: member.replace('/', '.'), value })
        }
    },
    /** The address of the page after this one, as its document states it. */
    next: () => said.get('next')?.value.toString(),
    /**
     * Says what is missing from a source with these numbers, and what to do; undefined if the source does not say that
     * anything is missing.
     */
    finding: (pages: number, records: number) =>
      found(pages, records)?.concat('; fetch all pages into one list'),
  }
}

const number = (value: unknown) =>
  typeof value !== 'object' && /^\d{1,15}$/.test(String(value)) ? Number(value) : undefined

const isMore = (value: unknown) =>
  value === true || (typeof value === 'string' && !/^(false)?$/i.test(value)) ? 1 : undefined

function address(value: unknown): string | undefined {
  if (Array.isArray(value)) return address(value.find(link => memberOf(link, 'rel') === 'next'))
  if (isObject(value)) return address(value.href)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Reads the value of a member of each meaning; undefined if the value says nothing. */
const READERS = { records: number, count: number, pages: number, more: isMore, next: address }
