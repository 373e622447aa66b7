import { to } from '../../address.ts'
import { useIsScripted } from '../../browser/use-is-scripted.ts'
import type { ListedPlace } from '../../places/kinds.ts'
import { LocateButton } from '../../places/locate-button.tsx'
import { ParishField } from '../../places/parish-field.tsx'
import { parishesOf } from '../../places/parishes.ts'
import { emergency as texts } from '../../texts/en/emergency.ts'
import type { From } from './found.tsx'

interface ChoiceProps {
  readonly places: readonly ListedPlace[]
  readonly from: From
  readonly onChoose: (from: From) => void
}

/** Asks for the position by one press, or for a parish. The parish needs no script. */
export function Choice({ places, from, onChoose }: ChoiceProps) {
  const { here, parish } = from
  const isScripted = useIsScripted()
  const isLarge = here === null && parish === ''
  return (
    <form class="fields emergency-choice no-print" action={to('/emergency')} method="get">
      <LocateButton
        onLocate={({ latitude, longitude }) => onChoose({ here: { latitude, longitude }, parish: '' })}
        instead="parish"
        label={here === null ? texts.find : texts.findAgain}
        look={isLarge ? 'large' : 'plain'}
        atOnce={isLarge}
      />
      <ParishField
        parishes={parishesOf(places).map(({ name }) => name)}
        value={parish}
        none={texts.chooseParish}
        onChoose={value => onChoose({ here, parish: value })}
      />
      {!isScripted && <button type="submit">{texts.show}</button>}
    </form>
  )
}
