import { fileVariable, SETTINGS } from '../src/config.ts'

const NOTES = '\n## Notes\n'

/** The page about the configuration with a section for each setting, before the notes. Throws if the page has no notes. */
export function withSettings(page: string): string {
  const notes = page.indexOf(NOTES)
  if (notes < 0) throw new Error('no notes')
  const [introduction = ''] = page.split(/^(?=## )/m)
  const sections = Object.entries(SETTINGS).map(([name, setting]) => sectionOf(name as Name, setting))
  return `${introduction.trimEnd()}\n${sections.join('')}${page.slice(notes)}`
}

type Name = keyof typeof SETTINGS
type Setting = (typeof SETTINGS)[Name]

function sectionOf(name: Name, { default: value, meaning, type }: Setting): string {
  const shown = String(value ?? '')
  const allowed = type.allowed.replaceAll(/https?:\/\/\w\S*/g, '`$&`')
  const variable = fileVariable(name)
  const fromFile = variable === undefined ? '' : ` **From a file:** \`${variable}\`.`
  return `
## ${name}

${meaning}
**Default:** ${shown === '' ? 'none' : `\`${shown}\``}. **Allowed:** ${allowed}.${fromFile}
`
}
