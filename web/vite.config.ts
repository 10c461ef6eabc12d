import { createRequire } from 'node:module'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compress } from './build/compress.ts'
import { serviceWorker } from './build/service-worker.ts'
import { contractDecoders } from './build/contract-decoders.ts'

// The browser entry of this package decodes `&amp;` with `innerHTML`, which the content security policy forbids.
const references = 'decode-named-character-reference'

const server = process.env.DAYWRIGHT ?? 'http://127.0.0.1:3000'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [contractDecoders(), react(), tailwind(), serviceWorker(), compress()],
  resolve: { alias: { [references]: createRequire(import.meta.url).resolve(references) } },
  build: {
    target: 'es2024',
    manifest: true,
    modulePreload: { polyfill: false },
    // Inline no assets: the content security policy forbids data: URLs, except for images.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
  // The service accepts changes only from its own origin, so the proxy keeps the page's host.
  server: {
    proxy: {
      '/api': { target: server, changeOrigin: false },
      '/feeds': { target: server, changeOrigin: false },
    },
  },
})
