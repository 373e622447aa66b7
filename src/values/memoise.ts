/** More different headers than honest consumers send. */
const MOST_REMEMBERED = 500

/** Works out what follows from a text once for each text, as far as there are few. */
export function memoise<T>(workOut: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return text => {
    const value = known.get(text)
    if (value !== undefined) return value
    const found = workOut(text)
    if (known.size >= MOST_REMEMBERED) known.clear()
    known.set(text, found)
    return found
  }
}
