import { parts } from '../texts/en/parts.ts'
import { hidden, rich } from '../texts/rich.tsx'

interface CopyButtonProps {
  readonly text: string
  /** A name of the text for people who hear the page: `the address`. */
  readonly what: string
}

/** Copies a text. It is hidden until a script calls `enableCopyButtons` (`browser/copy.ts`), because it needs the script. */
export function CopyButton({ text, what }: CopyButtonProps) {
  return (
    <button type="button" class="plain copy no-print" data-copy={text} hidden>
      {rich(parts.copy, { what, hidden })}
    </button>
  )
}
