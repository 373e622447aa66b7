/**
 * A telephone number as people write it: `+44 1534 123456`, `0800 123 4567`, `(01534) 123456`. A number without a country has 10 or
 * 11 digits: a longer number is the code of a product.
 */
const NUMBER =
  /((?<![\w-])(?:\+\d{1,3}[\s-]?(?:\(0\)[\s-]?)?\d{1,5}(?:[\s-]?\d{2,4}){2,5}|\(?(?=(?:[\s)-]{0,2}\d){10,11}(?![\s-]?\d))0\d{2,4}\)?[\s-]?\d{3,4}[\s-]?\d{3,4})(?![\w-]))/

/** Divides a text at its telephone numbers. Every second part is a number. */
export const dividedByNumbers = (text: string): readonly string[] => text.split(NUMBER)

/** The address of a telephone number (RFC 3966), without the zero of `+44 (0)1534`. */
export const phoneAddress = (written: string): string =>
  `tel:${written.replace(/^(\+.*)\(0\)/, '$1').replaceAll(/[^\d+]/g, '')}`

/** HTML with links for the telephone numbers outside its tags and links. */
export const withPhoneLinks = (html: string): string =>
  html.replaceAll(/<a\b[\s\S]*?<\/a>|<[^>]*>|[^<]+/g, part =>
    part.startsWith('<') ? part : dividedByNumbers(part).map(linkedNumber).join(''),
  )

const linkedNumber = (part: string, index: number) =>
  index % 2 === 0 ? part : `<a href="${phoneAddress(part)}">${part}</a>`
