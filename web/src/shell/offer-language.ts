/** Offers the page in the first language of the browser that the service has, and lets its links keep the query of the address. */
export function offerLanguage(): void {
  const offers = [...document.querySelectorAll<HTMLElement>('.language-offer')]
  const known = [document.documentElement.lang, ...offers.map(({ lang }) => lang)]
  const wanted = navigator.languages.map(tag => tag.split('-', 1)[0] ?? '').find(code => known.includes(code))
  for (const offer of offers) offer.hidden = offer.lang !== wanted
  // Scripts of pages change the query without loading another page.
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-keeps-query]'))
    link.addEventListener('click', () => {
      link.search = location.search
    })
}
