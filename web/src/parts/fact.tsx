import type { ComponentChildren } from 'preact'

interface FactProps {
  readonly name: string
  readonly children?: ComponentChildren
}

/** A fact in a list `dl`, or nothing without a value. */
export function Fact({ name, children }: FactProps) {
  if (children === null || children === undefined || children === '') return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
