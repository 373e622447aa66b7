import type { ComponentChildren } from 'preact'
import { otherLanguage, to } from '../address.ts'

interface CardProps {
  readonly path: string
  readonly title: string
  readonly children: ComponentChildren
}

/** A card in a list. Its title leads to a page. */
export const Card = ({ path, title, children }: CardProps) => (
  <li class="card">
    <h2>
      <a href={to(path)} hreflang={otherLanguage(path)}>
        {title}
      </a>
    </h2>
    {children}
  </li>
)
