import type { Router } from '../../../http/routing/router.ts'
import { HOUR_S } from '../../../values/time-units.ts'
import type { Site } from '../explorer.ts'
import { addText } from '../rendered-text.ts'

const COLOUR = '#0b4f8a'

/** What of the service a device can start at once. */
const SHORTCUTS = [
  { name: 'Map of places', path: '/map' },
  { name: 'Defibrillators', path: '/map?dataset=defibrillators' },
  { name: 'Parking', path: '/parking' },
]

/** Adds the manifest by which devices install the service as an app, under the title that the operator has given it. */
export function addWebManifest(
  router: Router,
  { title, description }: Pick<Site, 'title' | 'description'>,
): void {
  const { address } = router.shared
  const start = address('/')
  const png = (size: number, name: string, purpose: string) => ({
    ...{ src: address(`/${name}.png`), sizes: `${size}x${size}`, type: 'image/png', purpose },
  })
  const manifest = {
    ...{ id: start, start_url: start, scope: start, display: 'standalone', lang: 'en' },
    ...{ name: title, short_name: title, ...(description !== undefined && { description }) },
    ...{ theme_color: COLOUR, background_color: '#ffffff' },
    icons: [
      png(192, 'icon-192', 'any'),
      png(512, 'icon-512', 'any'),
      png(512, 'icon-maskable-512', 'maskable'),
      { src: address('/icon.svg'), sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    ],
    shortcuts: SHORTCUTS.map(({ name, path }) => ({ name, url: address(path) })),
  }
  addText(router, {
    ...{ path: '/manifest.webmanifest', type: 'application/manifest+json', maxAge: HOUR_S, synthetic: false },
    content: () => JSON.stringify(manifest),
  })
}
