import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phoneAddress, withPhoneLinks } from '../web/src/parts/phone-numbers.ts'

const linked = (html: string) =>
  [...withPhoneLinks(html).matchAll(/<a href="(tel:[^"]*)">([^<]*)<\/a>/g)].map(([, address, written]) => [
    written,
    address,
  ])

test('telephone numbers become links, as people write them', () => {
  for (const [written, address] of [
    ['0800 123 4567', 'tel:08001234567'],
    ['01534 123456', 'tel:01534123456'],
    ['(01534) 123456', 'tel:01534123456'],
    ['020 7946 0958', 'tel:02079460958'],
    ['01534-123456', 'tel:01534123456'],
    ['+44 1534 123456', 'tel:+441534123456'],
    ['+44 (0)1534 123456', 'tel:+441534123456'],
    ['+33 1 70 18 99 00', 'tel:+33170189900'],
  ] as const) {
    assert.equal(phoneAddress(written), address)
    assert.deepEqual(linked(`<p>Call ${written}, or write.</p>`), [[written, address]])
  }
})

test('other numbers, tags and links stay as they are', () => {
  for (const html of [
    'Barcode 5012345678900',
    'Barcode 0123456789012',
    'UPC 012345678905',
    'Batch L0123 456 789',
    'Sold 01-02-2026 to 03-04-2026',
    '2011 to 2026',
    'Codes 0123 456 789 012 345',
    '<a href="tel:08001234567">0800 123 4567</a>',
    '<img alt="0800 123 4567">',
  ])
    assert.equal(withPhoneLinks(html), html)
})
