/** Shows the labels of a map that no marker and no earlier label covers. */
export function showFreeLabels(map: HTMLElement): void {
  const taken = boxesOf(map.querySelectorAll('.map-place, .map-cluster'))
  for (const label of map.querySelectorAll<HTMLElement>('.map-label > *')) {
    const box = label.getBoundingClientRect()
    const isFree = !taken.some(other => overlaps(box, other))
    label.classList.toggle('covered', !isFree)
    if (isFree) taken.push(box)
  }
}

const boxesOf = (elements: Iterable<Element>): DOMRect[] =>
  [...elements].map(element => element.getBoundingClientRect())

const overlaps = (one: DOMRect, other: DOMRect): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
