import { to } from '../../address.ts'
import { emergency } from '../../texts/en/emergency.ts'

/** A large button to the page for an emergency. */
export function EmergencyLink() {
  return (
    <p>
      <a class="button large call" href={to('/emergency')}>
        {emergency.title}
      </a>
    </p>
  )
}
