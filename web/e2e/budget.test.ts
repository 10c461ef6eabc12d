import { describe, expect, it } from './it.ts'
import { firstLoad, scripts, textOf } from '../bench/size.ts'

describe('the first load', () => {
  it('is at most 170 KB of compressed JavaScript until the calendar is usable', () => {
    const [script] = firstLoad()
    expect(script?.gzip).toBeGreaterThan(50)
    expect(script?.gzip).toBeLessThan(170)
  })

  it('contains no Zod', () => {
    const withZod = scripts().filter(
      (file) => file.endsWith('.js') && textOf(file).includes('invalid_type'),
    )
    expect(withZod).toEqual([])
  })
})
