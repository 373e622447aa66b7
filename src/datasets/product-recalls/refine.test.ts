import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refineRecall } from './refine.ts'

const RECALL = {
  id: 1,
  title: 'Crisps',
  imageUrl: '',
  brand: 'Tesco',
  recallDate: '2024-06-06T23:00:00.000Z',
  packSize: null,
  batchCodes: null,
  problem: 'Allergy',
  furtherInformation: '<p>Return it</p>',
  websiteUrl: '',
}
const PLAIN = ['title', 'brand', 'packSize', 'batchCodes', 'problem'] as const

const TEXTS: [html: string, text: string][] = [
  ['<script>alert(1)</script>6 x 40g', '6 x 40g'],
  ['6 x <b onclick="x()">40g</b>', '6 x 40g'],
  ['6 &lt; 7 &amp; so on', '6 < 7 & so on'],
  ['&lt;script&gt;alert(1)&lt;/script&gt;6 x 40g', '6 x 40g'],
  ['&amp;lt;img src=x onerror=alert(1)&amp;gt;6 x 40g', '6 x 40g'],
  ['  L1\n L2 ', 'L1 L2'],
]

for (const field of PLAIN)
  test(`${field} is plain text, whatever its source has`, () => {
    for (const [html, text] of TEXTS) {
      const refined = refineRecall({ ...RECALL, [field]: html })
      assert.deepEqual(refined, { ...RECALL, [field]: text })
      assert.deepEqual(refineRecall(refined), refined)
    }
  })

test('markup that is escaped many times stays escaped', () => {
  const { title } = refineRecall({ ...RECALL, title: `&${'amp;'.repeat(1000)}lt;script&gt;` })
  assert.doesNotMatch(String(title), /[<>]/)
})

test('HTML without what is removed from it stays as it is when it is imported again', () => {
  for (const [html = '', safe] of [
    ['\t<script>x</script> <p>Return it</p>\n<amp;', '<p>Return it</p>'],
    ['<p><null><p>', '<p></p><p></p><p></p>'],
  ]) {
    const refined = refineRecall({ ...RECALL, furtherInformation: html })
    assert.equal(refined.furtherInformation, safe)
    assert.deepEqual(refineRecall(refined), refined)
  }
})

test('a field that is null, or only markup where it may be null, is null', () => {
  assert.deepEqual(refineRecall(RECALL), RECALL)
  assert.equal(refineRecall({ ...RECALL, batchCodes: '<script>1</script>' }).batchCodes, null)
  assert.equal(refineRecall({ ...RECALL, batchCodes: '<p>N/A</p>' }).batchCodes, null)
  assert.equal(refineRecall({ ...RECALL, batchCodes: 'A&shy;1&nbsp;&#8203;2' }).batchCodes, 'A1 2')
})

test('a recall without a title or problem besides markup is rejected', () => {
  for (const field of ['title', 'problem'])
    assert.throws(() => refineRecall({ ...RECALL, [field]: '<img src="x">' }), {
      field,
      message: 'has no text besides markup',
    })
})

test('addresses contain no markup, and are otherwise as published', () => {
  const { websiteUrl, imageUrl } = refineRecall({
    ...RECALL,
    websiteUrl: 'https://gov.je/"><script>x</script>',
    imageUrl: "https://gov.je/a b'c.jpg?x=1&y=%20`",
  })
  assert.equal(websiteUrl, 'https://gov.je/%22%3E%3Cscript%3Ex%3C/script%3E')
  assert.equal(imageUrl, "https://gov.je/a b'c.jpg?x=1&y=%20%60")
})
