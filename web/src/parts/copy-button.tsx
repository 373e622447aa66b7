interface CopyButtonProps {
  readonly text: string
  /** What is copied, for those who hear the page: `the address`. */
  readonly what: string
}

/** Copies a text. Hidden until a script has called `enableCopyButtons` (`browser/copy.ts`): without one it could do nothing. */
export function CopyButton({ text, what }: CopyButtonProps) {
  return (
    <button type="button" class="plain copy no-print" data-copy={text} hidden>
      Copy<span class="visually-hidden"> {what}</span>
    </button>
  )
}
