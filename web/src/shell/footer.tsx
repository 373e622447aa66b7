import type { Site } from '../../../src/interfaces/web/explorer.ts'
import { to } from '../address.ts'

/** Whom to ask, and what else there is. */
export function Footer({ site: { contact, description } }: { readonly site: Site }) {
  return (
    <footer class="site-footer">
      <div class="bar">
        {description !== undefined && <p>{description}</p>}
        <ul>
          <li>
            <a href={to('/status')}>Status</a>
          </li>
          <li>
            <a href={to('/docs/explanation/privacy')}>Privacy</a>
          </li>
          <li>
            <a href={to('/openapi.json')}>OpenAPI</a>
          </li>
          <li>
            <a href={to('/llms.txt')}>For agents</a>
          </li>
        </ul>
        {contact !== undefined && (
          <p>
            Contact: {contact.name}{' '}
            {contact.email !== undefined && <a href={`mailto:${contact.email}`}>{contact.email}</a>}{' '}
            {contact.url !== undefined && <a href={contact.url}>{contact.url}</a>}
          </p>
        )}
      </div>
    </footer>
  )
}
