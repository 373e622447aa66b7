import { dividedByNumbers, phoneAddress } from './phone-numbers.ts'

/** A text with links for its telephone numbers. */
export function WithPhoneLinks({ text }: { readonly text: string }) {
  return (
    <>
      {dividedByNumbers(text).map((part, index) =>
        index % 2 === 0 ? part : <a href={phoneAddress(part)}>{part}</a>,
      )}
    </>
  )
}
