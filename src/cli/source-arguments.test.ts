import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RecyclingCentre } from '../datasets/recycling/schema.ts'
import { addMapping, columnMap } from './source-arguments.ts'

test('the last equals sign separates header and field', () => {
  const mapping = addMapping('A=B = make', addMapping("REG'D IN JERSEY=firstRegisteredInJerseyAt"))
  assert.deepEqual(
    [...mapping],
    [
      ["REG'D IN JERSEY", 'firstRegisteredInJerseyAt'],
      ['A=B', 'make'],
    ],
  )
})

test('a mapping without header, field or equals sign is refused', () => {
  for (const text of ['', 'x', '=x', 'x=', ' =x'])
    assert.throws(() => addMapping(text), /Allowed: "HEADER=field"/, text)
  assert.throws(() => addMapping('P=name', addMapping('P=parish')), /"P" is mapped twice/)
})

test('any header may be mapped, even one named like a part of every object', () => {
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom('__proto__', 'constructor'), fc.string()), header => {
      fc.pre(header.trim() !== '')
      assert.deepEqual([...addMapping(`${header}=make`)], [[header.trim(), 'make']])
    }),
  )
})

test('fields must be those of the record, or a position', () => {
  assert.deepEqual(columnMap({ map: addMapping('WHERE=location'), ignore: ['id'] }, RecyclingCentre), {
    WHERE: 'location',
    id: null,
  })
  assert.deepEqual(columnMap({ map: addMapping('WHERE=position') }, RecyclingCentre), {
    WHERE: 'position',
  })
  assert.equal(columnMap({}, RecyclingCentre), undefined)
  assert.throws(
    () => columnMap({ map: addMapping('WHERE=locaton') }, RecyclingCentre),
    /unknown field "locaton": did you mean location\? Fields: id, createdAt, location, /,
  )
  assert.throws(
    () => columnMap({ map: addMapping('WHERE=location'), ignore: ['WHERE'] }, RecyclingCentre),
    /"WHERE" is named by --map and by --ignore; keep one/,
  )
})
