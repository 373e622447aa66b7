const PAGE = '/docs/tutorial/first-answers'

const unescaped = (text: string) =>
  text.replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

/** The paths of a page of the documentation that its readers are told to request from the service. */
export function pathsIn(html: string, baseUrl: string): string[] {
  const [, prose = ''] = html.split('class="prose"')
  const text = unescaped((prose.split('</main>')[0] ?? '').replace(/<[^>]*>/g, ''))
  return text
    .split(baseUrl)
    .slice(1)
    .map(rest => /^[^\s'`)]*/.exec(rest)?.[0] ?? '')
}

/** The status that the tutorial says an address has: it makes one mistake on purpose. */
const toldStatus = (path: string) => (path.includes('petol') ? 400 : 200)

interface Asked {
  readonly status: number
  readonly text: string
}

/** Follows the tutorial on a service: its addresses that do not have the status that it says, each with the one they have. */
export async function strayAddresses(
  get: (path: string) => Promise<Asked>,
  baseUrl: string,
): Promise<{ followed: readonly string[]; stray: readonly string[] }> {
  const followed = pathsIn((await get(PAGE)).text, baseUrl)
  const stray: string[] = []
  for (const path of followed) {
    const { status } = await get(path)
    if (status !== toldStatus(path)) stray.push(`${status} ${path}`)
  }
  return { followed, stray }
}
