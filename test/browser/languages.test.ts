import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_CHROMIUM, show, startChromium, untilTrue } from '../support/chromium.ts'
import { history, OBSERVED_NOW } from '../support/counted-now.ts'
import { ISLAND } from '../support/island.ts'
import { faultsOf, WINDOWS } from '../support/page-checks.ts'
import { listen } from '../support/raw-http.ts'
import { build } from '../support/service.ts'

/** What islanders look for, in the words of each language. */
const LANGUAGES = [
  {
    ...{
      code: 'pt',
      tag: 'pt-PT',
      offer: 'Esta página em português',
      emergency: 'Desfibrilhador mais próximo',
    },
    ...{
      call: 'Ligar para o 999',
      find: 'Encontrar o mais próximo',
      nearest: /a leste|a oeste|a norte|a sul/,
    },
    ...{ spaces: 'Encontrar estacionamento', free: /^\d+\s+livres de \d+$/, product: 'Produto ou perigo' },
    ...{ search: 'Pesquisar', recalled: '3 recolhas', date: '7 de junho de 2024' },
  },
  {
    ...{
      code: 'fr',
      tag: 'fr-FR',
      offer: 'Cette page en français',
      emergency: 'Défibrillateur le plus proche',
    },
    ...{
      call: 'Appeler le 999',
      find: 'Trouver le plus proche',
      nearest: /à l’est|à l’ouest|au nord|au sud/,
    },
    ...{ spaces: 'Trouver une place de stationnement', free: /^\d+\s+libres sur \d+$/ },
    ...{ product: 'Produit ou danger', search: 'Chercher', recalled: '3 rappels', date: '7 juin 2024' },
  },
  {
    ...{ code: 'pl', tag: 'pl-PL', offer: 'Ta strona po polsku', emergency: 'Najbliższy defibrylator AED' },
    ...{
      call: 'Zadzwoń: 999',
      find: 'Znajdź najbliższy',
      nearest: /na wschód|na zachód|na północ|na południe/,
    },
    ...{ spaces: 'Znajdź miejsce parkingowe', free: /^\d+\s+woln(e|ych) z \d+$/ },
    ...{
      product: 'Produkt lub zagrożenie',
      search: 'Szukaj',
      recalled: '3 wycofane produkty',
      date: '7 czerwca 2024',
    },
  },
]

test('islanders find a defibrillator, a parking space and a recall in their language', {
  skip: NO_CHROMIUM,
}, async t => {
  const { app } = await build(t, ISLAND, { observation: OBSERVED_NOW, history: history() })
  const origin = `http://127.0.0.1:${await listen(app)}`
  const browser = await startChromium(t)
  for (const [index, options] of WINDOWS.entries()) {
    const words = LANGUAGES[index]
    assert.ok(words)
    const { code, viewport } = { ...words, ...options }
    await t.test(`${code}, ${options.colorScheme}, ${viewport.width} wide`, async t => {
      const geolocation = { latitude: 49.18, longitude: -2.1001 }
      const permitted = { locale: words.tag, geolocation, permissions: ['geolocation'] }
      const shown = await show(t, browser, `${origin}/search?q=pier`, { ...options, ...permitted })
      const { page } = shown
      // The page in the browser's language has the same query.
      await page.getByRole('link', { name: words.offer }).click()
      await page.waitForURL(`${origin}/${code}/search?q=pier`)
      await page.getByRole('link', { name: 'Pier' }).first().waitFor()
      assert.deepEqual(await faultsOf(shown), [], page.url())

      await page.goto(`${origin}/${code}/`)
      await page.getByRole('link', { name: words.emergency }).click()
      await page.getByText(words.nearest).first().waitFor()
      assert.ok(await page.getByRole('link', { name: words.call }).isVisible())
      assert.deepEqual(await faultsOf(shown), [], page.url())

      await page.goto(`${origin}/${code}/`)
      await page.getByRole('link', { name: words.spaces }).click()
      await page.waitForURL(`${origin}/${code}/parking`)
      assert.match(await page.locator('.free.count').first().innerText(), words.free)
      assert.deepEqual(await faultsOf(shown), [], page.url())

      await page.goto(`${origin}/${code}/recalls`)
      await page.getByLabel(words.product).fill('toy')
      await page.getByRole('main').getByRole('button', { name: words.search }).click()
      await page.getByRole('heading', { name: words.recalled }).waitFor()
      assert.ok((await page.locator('.recalls').innerText()).includes(words.date))
      assert.deepEqual(await faultsOf(shown), [], page.url())

      // Without a network, the page for an emergency is there in each language that was read.
      for (const kept of [`/${code}/emergency`, '/emergency'])
        await untilTrue(page, `caches.match('${kept}').then(found => found !== undefined)`)
      await page.context().setOffline(true)
      await page.goto(`${origin}/emergency`)
      assert.equal(await page.locator('html').getAttribute('lang'), 'en')
      await page.goto(`${origin}/${code}/emergency`)
      assert.equal(await page.locator('html').getAttribute('lang'), code)
      assert.ok(await page.getByRole('link', { name: words.call }).isVisible())
      assert.match(
        await page.locator('.offline-notice').innerText(),
        new RegExp(String(new Date().getFullYear())),
      )
      await page.goto(`${origin}/${code}/parking`)
      assert.equal(await page.locator('html').getAttribute('lang'), code)
    })
  }
})
