// The first layer: Markdown becomes React elements, and raw HTML in it stays text. It relies neither on the
// sanitiser behind it nor on the content security policy.
import { createElement, type ReactNode } from 'react'
import Markdown, { type Components, type Options } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { safeUrl } from './safe-url.ts'

type Plugins = Options['rehypePlugins']

const heading =
  (level: number) =>
  ({ children }: { children?: ReactNode }) =>
    // One level lower, because the page has its own h1.
    createElement(`h${Math.min(6, level + 1)}`, { 'data-level': level }, children)

const components: Components = {
  h1: heading(1),
  h2: heading(2),
  h3: heading(3),
  h4: heading(4),
  h5: heading(5),
  h6: heading(6),
  a: ({ href, title, children }) => (
    <a href={href} title={title} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ),
  // Images become links: loading one would tell an external server who reads the document, and when.
  img: ({ src, alt }) =>
    typeof src === 'string' && src !== '' ? (
      <a href={src} target="_blank" rel="noopener noreferrer nofollow">
        {alt || 'Picture'}
      </a>
    ) : (
      <span>{alt}</span>
    ),
  input: ({ checked }) => (
    <input
      type="checkbox"
      className="check"
      checked={Boolean(checked)}
      disabled
      aria-label={checked ? 'Done' : 'To do'}
    />
  ),
  // A wide table scrolls on its own, and takes the focus so that it can be scrolled by keyboard.
  table: ({ children }) => (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="overflow-x-auto" role="region" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
}

const remarkPlugins: Options['remarkPlugins'] = [remarkGfm]
type Node = {
  type: string
  value?: string
  children?: Node[]
  tagName?: string
  properties?: object
}

/** Turns raw HTML into text; at the top level, into a paragraph. */
const rawAsText = () => (tree: Node) => {
  if (!tree.children) return
  tree.children = tree.children.map((node): Node => {
    rawAsText()(node)
    if (node.type !== 'raw') return node
    const text = { type: 'text', value: node.value ?? '' }
    if (tree.type !== 'root') return text
    return { type: 'element', tagName: 'p', properties: {}, children: [text] }
  })
}

type Props = { text: string; plugins?: Plugins }

export const Rendered = ({ text, plugins }: Props) => (
  <Markdown
    remarkPlugins={remarkPlugins}
    rehypePlugins={[rawAsText, ...(plugins ?? [])]}
    urlTransform={safeUrl}
    components={components}
  >
    {text}
  </Markdown>
)
