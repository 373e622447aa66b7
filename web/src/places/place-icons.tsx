import { places } from '../texts/en/places.ts'
/** Draws each kind once, for {@link PlaceIcon}. Shapes and letters tell the kinds apart; colours only help. */
export function PlaceSymbols() {
  return (
    <svg class="place-symbols" width="0" height="0" aria-hidden="true">
      <symbol id="place-toilets" viewBox="0 0 32 32">
        <circle cx="16" cy="16" r="15" fill="#5b3a91" stroke="#fff" stroke-width="2" />
        <text x="16" y="21" text-anchor="middle" font-size="13" font-weight="700" fill="#fff">
          {places.toiletSign}
        </text>
      </symbol>
      <symbol id="place-defibrillators" viewBox="0 0 32 32">
        <path
          d="M16 30 3.5 17.5A8 8 0 0 1 16 6a8 8 0 0 1 12.5 11.500z"
          fill="#b3261e"
          stroke="#fff"
          stroke-width="2"
        />
        <path d="m17.5 8-6 10h4l-1.5 7 6.5-10h-4z" fill="#fff" />
      </symbol>
      <symbol id="place-recycling" viewBox="0 0 32 32">
        <path
          d="M16 1.5 31 28.500H1z"
          fill="#1b6b3a"
          stroke="#fff"
          stroke-width="2"
          stroke-linejoin="round"
        />
        <path
          d="M11.5 23.500a5 5 0 1 1 9 0m-9 0-2-3.500m2 3.5 3.5-1.5"
          fill="none"
          stroke="#fff"
          stroke-width="2.2"
          stroke-linecap="round"
        />
      </symbol>
      <symbol id="place-carparks" viewBox="0 0 32 32">
        <rect x="1" y="1" width="30" height="30" rx="6" fill="#0b4f8a" stroke="#fff" stroke-width="2" />
        <text x="16" y="23" text-anchor="middle" font-size="20" font-weight="700" fill="#fff">
          {places.carParkSign}
        </text>
      </symbol>
    </svg>
  )
}

/** The sign of a kind of place; words beside it say the same. */
export function PlaceIcon({ dataset }: { readonly dataset: string }) {
  return (
    <svg class="place-icon" width="32" height="32" aria-hidden="true">
      <use href={`#place-${dataset}`} />
    </svg>
  )
}
