// The second layer: only these elements and attributes remain in any tree. It would hold even if raw HTML
// were allowed into the tree.
import rehypeSanitize, { defaultSchema, type Options } from 'rehype-sanitize'

const tagNames = (
  'h1 h2 h3 h4 h5 h6 p br hr blockquote pre code ul ol li input table thead tbody tr th td section ' +
  'strong em del sup sub a img'
).split(' ')

export const schema: Options = {
  tagNames,
  attributes: {
    a: ['href', 'title', ['className', 'data-footnote-backref'], 'dataFootnoteRef'],
    img: ['src', 'alt', 'title'],
    input: [['disabled', true], ['type', 'checkbox'], 'checked'],
    code: [['className', /^language-[\w+#-]{1,30}$/]],
    li: [['className', 'task-list-item']],
    ol: ['start', ['className', 'contains-task-list']],
    ul: [['className', 'contains-task-list']],
    th: ['align'],
    td: ['align'],
    section: ['dataFootnotes', ['className', 'footnotes']],
    '*': ['id'],
  },
  protocols: { href: ['http', 'https', 'mailto', 'tel'], src: ['http', 'https'] },
  required: { input: { disabled: true, type: 'checkbox' } },
  // These elements are removed with their content, which must not remain as text.
  strip: [
    'script',
    'style',
    'template',
    'noscript',
    'iframe',
    'object',
    'title',
    'textarea',
    'xmp',
  ],
  // An id must not shadow a global name: `document.body`, `window.api`.
  clobber: ['id', 'name'],
  clobberPrefix: 'text-',
  ancestors: defaultSchema.ancestors ?? {},
  allowComments: false,
  allowDoctypes: false,
}

export const sanitise = [rehypeSanitize, schema] as [typeof rehypeSanitize, Options]
