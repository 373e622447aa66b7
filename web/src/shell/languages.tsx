import type { Site } from '../../../src/interfaces/web/explorer.ts'
import { absolute, basePath, isTranslated, pathIn } from '../address.ts'
import { language } from '../texts/en/language.ts'
import { anchor, rich } from '../texts/rich.tsx'

interface LanguagesProps {
  readonly site: Site
  /** The path of the page. Links from a page in English alone lead to start pages. */
  readonly path: string | undefined
}

const linkProps = (path: string | undefined, code: string) => {
  const isSame = path !== undefined && isTranslated(path)
  return {
    ...{ href: basePath + pathIn(code, isSame ? path : '/'), hreflang: code, lang: code },
    ...(isSame && { 'data-keeps-query': true }),
  }
}

/** Links to the page in every language of the service, or nothing if there is one language. */
export function Languages({ site: { languages }, path }: LanguagesProps) {
  if (languages.length < 2) return null
  return (
    <nav class="languages no-print" aria-label={language.choose}>
      <ul>
        {languages.map(({ code, name }) => (
          <li key={code}>
            <a {...linkProps(path, code)} aria-current={code === language.code ? 'true' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Lines that offer the page in another language. A script shows the one for the browser's language. */
export function LanguageOffers({ site: { languages }, path }: LanguagesProps) {
  if (path === undefined || !isTranslated(path)) return null
  return languages
    .filter(({ code }) => code !== language.code)
    .map(({ code, offer }) => (
      <p key={code} class="language-offer no-print" lang={code} hidden>
        <a {...linkProps(path, code)}>{offer}</a>
      </p>
    ))
}

/** Says that nobody has checked the translation, with a link to English. */
export const Unchecked = ({ path = '/' }: Pick<LanguagesProps, 'path'>) =>
  String(language.checkedBy) !== '' ? null : (
    <p>{rich(language.unchecked, { link: anchor(basePath + pathIn('en', path)) })}</p>
  )

/** Links to the page in every language, for search engines. */
export function Alternates({ site: { languages }, path }: LanguagesProps) {
  if (path === undefined || languages.length < 2 || !isTranslated(path)) return null
  return (
    <>
      {languages.map(({ code }) => (
        <link key={code} rel="alternate" hreflang={code} href={absolute(path, code)} />
      ))}
      <link rel="alternate" hreflang="x-default" href={absolute(path, 'en')} />
    </>
  )
}
