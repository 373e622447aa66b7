import type { Point } from '../projection.ts'

/** A rectangle, in pixels of a map or units of a drawing. */
export type Box = Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>>

/** How far a label may stand from its place, in its own heights: above the group of places that a parish often is, or else below. */
const STEPS = [-2, 2, -3, 3, 0]

/** Shows the labels of a map where no marker, no earlier label and no coast is; hides those without such a spot. */
export function showFreeLabels(map: HTMLElement, coast: readonly (readonly Point[])[]): void {
  const taken: Box[] = [...map.querySelectorAll('.map-place, .map-cluster')].map(boxOf)
  for (const label of map.querySelectorAll<HTMLElement>('.map-label > *')) {
    const step = STEPS.find(each => {
      label.style.translate = `-50% ${each * 100}%`
      return isFree(boxOf(label), taken, coast)
    })
    label.classList.toggle('covered', step === undefined)
    if (step !== undefined) taken.push(boxOf(label))
  }

  /** The box of an element, from the corner of the map. */
  function boxOf(element: Element): Box {
    const { x, y } = map.getBoundingClientRect()
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return { left: left - x, right: right - x, top: top - y, bottom: bottom - y }
  }
}

/** Whether a box lies on none of others, and on no line of a coast. */
export const isFree = (box: Box, others: readonly Box[], coast: readonly (readonly Point[])[]): boolean =>
  !others.some(other => overlaps(box, other)) &&
  !coast.some(ring => ring.some((point, at) => at > 0 && crosses(box, ring[at - 1] ?? point, point)))

/** The room between two labels, so that they do not read as one. */
const GAP = 4

const overlaps = (one: Box, other: Box): boolean =>
  one.left - GAP < other.right &&
  other.left - GAP < one.right &&
  one.top < other.bottom &&
  other.top < one.bottom

/** Whether a straight line touches a box: it comes near, and the corners lie on both sides of it. */
function crosses({ left, right, top, bottom }: Box, [x, y]: Point, [endX, endY]: Point): boolean {
  if (Math.max(x, endX) < left || Math.min(x, endX) > right) return false
  if (Math.max(y, endY) < top || Math.min(y, endY) > bottom) return false
  const side = (cornerX: number, cornerY: number) => (endX - x) * (cornerY - y) > (endY - y) * (cornerX - x)
  const first = side(left, top)
  return side(right, top) !== first || side(left, bottom) !== first || side(right, bottom) !== first
}
