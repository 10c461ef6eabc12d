import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const places = [
  process.env.CHROMIUM,
  // The headless shell needs a fifth less time than the full browser.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The options to launch the system's Chromium, so that none is downloaded. */
export function launchOptions() {
  const executablePath = places.find((place) => place && existsSync(place))
  if (!executablePath) {
    throw new Error('No Chromium: install it (apt-get install chromium), or name it in CHROMIUM.')
  }
  return {
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
  }
}

export const launch = () => chromium.launch(launchOptions())
