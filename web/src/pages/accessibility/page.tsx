import { declarePage, type ViewProps } from '../../page.ts'
import { ContactLinks } from '../../parts/contact-links.tsx'
import { accessibility as texts } from '../../texts/en/accessibility.ts'

/** The tests for people with disabilities, the known limits, and the contact for complaints. */
export const accessibility = declarePage({
  path: '/accessibility',
  maxAge: 3600,
  load: async () => null,
  title: () => texts.title,
  description: () => texts.description,
  View,
})

function View({ site: { contact } }: ViewProps<null>) {
  return (
    <>
      <h1>{texts.title}</h1>
      <p>{texts.lead}</p>
      <h2>{texts.tested}</h2>
      <p>{texts.testedDetail}</p>
      <Points of={texts.tests} />
      <h2>{texts.limits}</h2>
      <Points of={texts.knownLimits} />
      <h2>{texts.complain}</h2>
      <p>{texts.complainDetail}</p>
      <p>{contact === undefined ? texts.noContact : <ContactLinks of={contact} />}</p>
    </>
  )
}

const Points = ({ of }: { readonly of: Readonly<Record<string, string>> }) => (
  <ul>
    {Object.values(of).map(point => (
      <li key={point}>{point}</li>
    ))}
  </ul>
)
