/** A telephone number as people write it: `+44 1534 123456`, `0800 123 4567`, `(01534) 123456`. */
const NUMBER = /((?:\+\d{1,3}[\s-]?(?:\(0\)[\s-]?)?|\(?0)\d[\d\s()-]{7,13}\d)/

/** The address of a telephone number (RFC 3966). The zero in `+44 (0)1534` is only for calls from the island. */
export const phoneAddress = (written: string): string =>
  `tel:${written.replace(/(?<=^\+.*)\(0\)/, '').replaceAll(/[^\d+]/g, '')}`

/** A text with links for its telephone numbers. */
export function WithPhoneLinks({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split(NUMBER)
        .map((part, index) => (index % 2 === 0 ? part : <a href={phoneAddress(part)}>{part}</a>))}
    </>
  )
}

/** HTML with links for the telephone numbers outside its tags and links. */
export const withPhoneLinks = (html: string): string =>
  html.replaceAll(/<a\b[\s\S]*?<\/a>|<[^>]*>|[^<]+/g, part =>
    part.startsWith('<') ? part : part.replaceAll(new RegExp(NUMBER, 'g'), linked),
  )

const linked = (written: string) => `<a href="${phoneAddress(written)}">${written}</a>`
