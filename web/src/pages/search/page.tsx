import { dataLanguage } from '../../address.ts'
import { declarePage, to, type ViewProps } from '../../page.ts'
import { placeKey } from '../../places/kinds.ts'
import { PlaceSymbols } from '../../places/place-icons.tsx'
import { PlaceRow } from '../../places/place-row.tsx'
import { LONGEST_QUESTION, SearchField } from '../../shell/search-field.tsx'
import { search as texts } from '../../texts/en/search.ts'
import { link, rich, text } from '../../texts/rich.tsx'
import { type Group, type Hit, loadSearch, registerPath, type SearchData } from './load.ts'

/** One search for places, recalls, makes of vehicles, datasets and documents. It needs no script. */
export const search = declarePage<SearchData>({
  path: '/search',
  maxAge: 30,
  script: 'search',
  isListed: false,
  load: loadSearch,
  title: ({ question }) => (question === '' ? texts.title : text(texts.titleOf, { question })),
  description: () => texts.description,
  View,
})

function View({ data }: ViewProps<SearchData>) {
  const { question, isCut } = data
  return (
    <>
      <PlaceSymbols />
      <h1>{texts.title}</h1>
      <SearchField id="question" question={question} />
      {isCut && <p class="notice">{text(texts.cut, { length: LONGEST_QUESTION })}</p>}
      {question === '' ? <p>{texts.hint}</p> : <Results data={data} />}
    </>
  )
}

function Results({ data: { question, only, groups, unavailable } }: Pick<ViewProps<SearchData>, 'data'>) {
  const count = groups.reduce((sum, group) => sum + group.count, 0)
  return (
    <>
      {unavailable.length > 0 && (
        <p class="notice">{text(texts.unavailable, { kinds: unavailable.join(', ') })}</p>
      )}
      <p>{text(count === 0 ? texts.nothing : texts.found, { count, question })}</p>
      {groups.length > 1 && (
        <nav class="paging" aria-label={texts.kinds}>
          {groups.map(({ kind, title, count }) => (
            <a key={kind} href={`#${kind}`}>
              {text(texts.kind, { kind: title, count })}
            </a>
          ))}
        </nav>
      )}
      {groups.map(group => (
        <ResultsOfKind key={group.kind} group={group} />
      ))}
      {only !== undefined && (
        <a href={to(`/search?${new URLSearchParams({ q: question })}`)}>{texts.allKinds}</a>
      )}
      <p class="facts">
        {rich(texts.elsewhere, { vehicles: link(registerPath(question)), map: link('/map') })}
      </p>
    </>
  )
}

function ResultsOfKind({ group: { kind, title, count, results, all } }: { readonly group: Group }) {
  return (
    <section aria-labelledby={kind}>
      <h2 id={kind}>
        {title} <span class="muted">{count}</span>
      </h2>
      <ul class="place-rows">
        {results.map(result =>
          'dataset' in result ? (
            <PlaceRow key={placeKey(result)} place={result} />
          ) : (
            <HitRow key={result.path} hit={result} />
          ),
        )}
      </ul>
      {count > results.length && (
        <p>
          <a href={to(all)}>{text(texts.all, { count, kind: title })}</a>
        </p>
      )}
    </section>
  )
}

function HitRow({ hit: { title, path, facts } }: { readonly hit: Hit }) {
  return (
    <li class="place-row">
      <div class="place-row-text">
        {/* Names of datasets are translated. */}
        <a href={to(path)} lang={path.startsWith('/data') ? undefined : dataLanguage}>
          {title}
        </a>
        <p class="facts">{facts.join(' · ')}</p>
      </div>
    </li>
  )
}
