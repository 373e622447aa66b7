import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { releaseHash } from './content.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('the hash of a release is that of its contents, each with a line feed, however many they are', () => {
  for (const count of [0, 1, 3, 5000]) {
    const contents = Array.from({ length: count }, (_, n) => `{"n":${n},"text":"Citroën 🚗"}`)
    const hash = releaseHash()
    for (const content of contents) hash.add(content)
    assert.equal(hash.digest(), sha256(contents.map(content => `${content}\n`).join('')))
  }
})
