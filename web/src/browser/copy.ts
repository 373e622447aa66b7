import { copying } from '../texts/en/parts.ts'

const SHOWN_MS = 2000

/** Shows the buttons that copy a text, and makes them work. Each button says when it has copied. */
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
  said.textContent = isCopied ? copying.done : copying.failed
  setTimeout(() => {
    said.textContent = ''
  }, SHOWN_MS)
}

/** Browsers offer the clipboard only over HTTPS and on the same machine. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
