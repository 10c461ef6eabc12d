// A document as it reads. Three layers, each enough by itself: the renderer, the sanitiser, and the
// policy of the page (server/src/web/serve-web.ts). e2e/hostile.test.ts holds each to that.
import { memo } from 'react'
import { Rendered } from './renderer.tsx'
import { sanitise } from './sanitiser.ts'

const plugins = [sanitise]

export const Preview = memo(({ text }: { text: string }) => (
  <div className="prose">
    <Rendered text={text} plugins={plugins} />
  </div>
))
