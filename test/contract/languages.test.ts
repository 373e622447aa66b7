import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PROBLEMS } from '../../src/errors.ts'
import { ISLAND, OBSERVATION, TOILETS } from '../support/island.ts'
import { openPage, textOf } from '../support/pages.ts'
import { build, type TestApp } from '../support/service.ts'
import { ROOT } from '../support/tracked-files.ts'

const CODES = ['en', 'fr', 'pl', 'pt']
const prefixOf = (code: string) => (code === 'en' ? '' : `/${code}`)

/** Every kind of page that is in all languages, and a part of its text in Portuguese. */
const PAGES: readonly (readonly [path: string, portuguese: RegExp])[] = [
  ['/', /Desfibrilhador mais próximo.*Encontrar estacionamento.*2 casas de banho.*Verificar um produto/s],
  ['/emergency', /Numa emergência, ligue primeiro para o 999 ou 112/],
  ['/emergency?parish=Trinity', /Desfibrilhadores em Trinity/],
  ['/parking', /Lugares de estacionamento livres/],
  ['/map', /Mapa de locais/],
  [`/places/toilets/${TOILETS[0]?.id}`, /Casa de banho pública em/],
  ['/recalls', /Recolhas de produtos.*3 recolhas/],
  ['/vehicles', /Veículos registados.*Combustível/],
  ['/search?q=st', /resultados para «st»/],
  ['/status', /Estado do serviço.*Casas de banho públicas Atualizado hoje às/],
  ['/data', /conjunto de dados no formato/],
  ['/data/toilets', /Casas de banho públicas.*Descarregar/],
  ['/offline', /locais guardados/],
  ['/accessibility', /O que testamos/],
]

const app = async (t: Parameters<typeof build>[0]): Promise<TestApp> =>
  (await build(t, ISLAND, { observation: OBSERVATION, synthetic: true })).app

test('each page is in every language at its own path, and names the others', async t => {
  const service = await app(t)
  for (const [path, portuguese] of PAGES)
    for (const code of CODES) {
      const { statusCode, body } = await openPage(service, prefixOf(code) + path)
      assert.equal(statusCode, 200, `${code} ${path}`)
      assert.match(body, new RegExp(`<html lang="${code}"`))
      const [plain = ''] = path.split('?')
      const address = (of: string) => `http://data.example${prefixOf(of)}${plain}`
      assert.ok(body.includes(`<link rel="canonical" href="${address(code)}"/>`), `${code} ${path}`)
      const links = [...body.matchAll(/<link rel="alternate" hreflang="([^"]*)" href="([^"]*)"/g)]
      assert.deepEqual(
        links.map(([, language, href]) => [language, href]),
        [...CODES.map(each => [each, address(each)]), ['x-default', address('en')]],
      )
      const nav = body.match(/<nav class="languages.*?<\/nav>/s)?.[0] ?? ''
      assert.equal(textOf(nav), 'English Français Polski Português')
      assert.equal(body.includes('Nunca use esta página para encontrar um desfibrilhador'), code === 'pt')
      assert.equal(body.includes('ainda não foi verificada por um falante nativo'), code === 'pt')
      if (code === 'pt') assert.match(textOf(body), portuguese, path)
    }
})

test('a translated page marks the words of data and links to English pages', async t => {
  const service = await app(t)
  const recalls = await openPage(service, '/pt/recalls')
  assert.match(recalls.body, /<a href="\/pt\/recalls\/\d+" lang="en">/)
  assert.match(recalls.body, /<a href="\/docs" hreflang="en">/)
  const english = await openPage(service, '/recalls')
  assert.doesNotMatch(english.body, /<a href="\/recalls\/\d+" lang|href="\/docs" hreflang/)
})

test('other paths are in English alone, and problems are pages in the language of their path', async t => {
  const service = await app(t)
  const titleOf = async (path: string) => {
    const { statusCode, body } = await openPage(service, path)
    return [statusCode, body.match(/<html lang="(\w+)"/)?.[1], body.match(/<h1>(.*?)<\/h1>/)?.[1]]
  }
  assert.deepEqual(await titleOf('/xx/parking'), [404, 'en', 'Page not found'])
  assert.deepEqual(await titleOf('/en/parking'), [404, 'en', 'Page not found'])
  assert.deepEqual(await titleOf('/pt/docs'), [404, 'pt', 'Página não encontrada'])
  assert.deepEqual(await titleOf('/fr/nulle-part'), [404, 'fr', 'Page introuvable'])
  assert.deepEqual(await titleOf('/pl/vehicles?fuelType=COAL'), [400, 'pl', 'Zarejestrowane pojazdy'])
  const docs = await openPage(service, '/docs')
  assert.match(docs.body, /<a href="\/pt\/" hreflang="pt" lang="pt">Português<\/a>/)
  assert.doesNotMatch(docs.body, /rel="alternate" hreflang/)
})

test('no response differs by Accept-Language', async t => {
  const service = await app(t)
  for (const [path, accept] of [
    ['/v1/toilets', 'application/json'],
    ['/v1/nowhere', 'application/json'],
    ['/v1/enumerations', 'application/json'],
    ['/parking', 'text/html'],
    ['/pt/accessibility', 'text/html'],
  ] as const) {
    const ask = (language: string) =>
      service.inject({ url: path, headers: { accept, 'accept-language': language } })
    const [one, other] = [await ask('pt-PT'), await ask('en')]
    assert.equal(one.body, other.body, path)
    assert.doesNotMatch(String(one.headers.vary), /language/i)
  }
})

test('every name of a dataset, meaning of a place and kind of problem has a translation', async t => {
  const service = await app(t)
  const results = async (path: string) => JSON.parse((await service.inject(path)).body).results
  const datasets: { title: string; description: string }[] = await results('/v1/datasets')
  const enumerations: { dataset: string; values: { meaning: string }[] }[] = await results('/v1/enumerations')
  const english = [
    ...datasets.flatMap(({ title, description }) => [title, description]),
    ...enumerations
      // The words of these are in the catalogue of English too.
      .filter(({ dataset }) => !['vehicles', 'carparks'].includes(dataset))
      .flatMap(({ values }) => values.map(({ meaning }) => meaning.split(':', 1)[0])),
    ...Object.values(PROBLEMS).map(({ title }) => title),
  ]
  for (const code of CODES.slice(1)) {
    const { meanings } = JSON.parse(readFileSync(join(ROOT, `web/src/texts/${code}.json`), 'utf8'))
    assert.deepEqual(
      english.filter(words => meanings[words ?? ''] === undefined),
      [],
      code,
    )
  }
})
