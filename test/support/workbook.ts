import { type Part, zipped } from './archive.ts'

const NAMESPACE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** The parts that a test may give itself. */
export const SHEET = 'xl/worksheets/sheet1.xml'
export const TEXTS = 'xl/sharedStrings.xml'
export const STYLES = 'xl/styles.xml'

const USUAL: readonly Part[] = [
  [TEXTS, '<sst/>'],
  [STYLES, '<styleSheet/>'],
]

/** A workbook of one sheet, written by hand: the XML of the sheet, other parts, and properties of the workbook. */
export const workbookOf = (
  sheet: string,
  { parts = [], properties = '' }: { parts?: readonly Part[]; properties?: string } = {},
): Buffer =>
  zipped([
    ['[Content_Types].xml', '<Types/>'],
    ['_rels/.rels', relations({ officeDocument: 'xl/workbook.xml' })],
    [
      'xl/workbook.xml',
      `<x:workbook xmlns:x="main" xmlns:r="${NAMESPACE}">${properties}<x:sheets><x:sheet name="S" r:id="worksheet"/></x:sheets></x:workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relations({ worksheet: `/${SHEET}`, sharedStrings: 'sharedStrings.xml', styles: 'styles.xml' }),
    ],
    [SHEET, sheet],
    ...USUAL.filter(([name]) => !parts.some(([other]) => other === name)),
    ...parts,
  ])

function relations(targets: Readonly<Record<string, string>>): string {
  const each = Object.entries(targets).map(
    ([type, target]) => `<Relationship Id="${type}" Type="${NAMESPACE}/${type}" Target="${target}"/>`,
  )
  return `<Relationships>${each.join('')}</Relationships>`
}

/** The XML of a sheet of these rows, and of a cell with text. */
export const sheetOf = (...rows: readonly string[]): string =>
  `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`
export const rowOf = (...texts: readonly string[]): string =>
  `<row>${texts.map(text => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`
