// Renders a document. Three independent layers of protection: the renderer, the sanitiser, and the page's
// content security policy (server/src/platform/static-web/serve-web.ts). e2e/hostile.test.ts tests each alone.
import { memo } from 'react'
import { Rendered } from './renderer.tsx'
import { sanitise } from './sanitiser.ts'

const plugins = [sanitise]

export const Preview = memo(({ text }: { text: string }) => (
  <div className="prose">
    <Rendered text={text} plugins={plugins} />
  </div>
))
