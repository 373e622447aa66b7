const SHOWN_MS = 2000

/** Shows the buttons that copy a text, and has them do so; each says that it has. */
export function enableCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    const said = document.createElement('span')
    said.className = 'muted'
    said.setAttribute('role', 'status')
    button.after(said)
    button.hidden = false
    button.addEventListener('click', () => copy(button.dataset.copy ?? '', said))
  }
}

async function copy(text: string, said: HTMLElement): Promise<void> {
  const isCopied = await write(text)
  said.textContent = isCopied ? ' Copied' : ' Not copied: select the text instead.'
  setTimeout(() => {
    said.textContent = ''
  }, SHOWN_MS)
}

/** Browsers have a clipboard over HTTPS and on the same machine alone. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
