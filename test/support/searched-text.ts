const known = new Map<string, string>()

/** What `fold` gives; each text is folded once, since the models search the same records for every query. */
export function searchedText(text: string): string {
  const found = known.get(text) ?? fold(text)
  known.set(text, found)
  return found
}

/**
 * The text by which a value is found, by the rules of text filters, letter by letter: lower case, no marks and nothing
 * invisible, final sigmas like others, one blank for each run of blanks and hyphens and none at the ends, no dots after a
 * letter or at the start unless a digit follows.
 */
function fold(text: string): string {
  const letters = [...text.toWellFormed().replaceAll('\0', '\ufffd').normalize('NFD')]
    .flatMap(letter => [...letter.toLowerCase().replace('ς', 'σ')])
    .filter(letter => !/[\p{M}\p{Default_Ignorable_Code_Point}]/u.test(letter))
  let found = ''
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] ?? ''
    if (/[-\u2010\u2011\s]/.test(letter)) {
      if (found !== '' && !found.endsWith(' ')) found += ' '
      continue
    }
    if (letter !== '.') {
      found += letter
      continue
    }
    const from = at
    while (letters[at + 1] === '.') at++
    const follows = found === '' || /\p{L}/u.test(letters[from - 1] ?? '')
    const isNumber = /\p{N}/u.test(letters[at + 1] ?? '')
    if (!follows || isNumber) found += letters.slice(from, at + 1).join('')
  }
  return found.trimEnd()
}
