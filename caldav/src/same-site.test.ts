import { describe, expect, it } from 'vitest'
import { resolveHref } from './same-site.ts'

describe('a link', () => {
  it.for<[string, string]>([
    ['https://caldav.icloud.com/', 'https://p01-caldav.icloud.com/'],
    ['https://caldav.icloud.com/', 'https://p01-caldav.icloud.com:443/'],
    ['https://dav.example.co.uk:8443/', 'https://p01.example.co.uk:8443/'],
    ['http://dav.example.com/', 'https://p01.example.com/'],
    ['http://dav.home.lan:8080/', 'http://dav.home.lan:8080/ada/'],
    ['http://10.0.0.1:5232/', 'http://10.0.0.1:5232/ada/'],
    ['https://ada.duckdns.org/', 'https://ada.duckdns.org:8443/'],
  ])('from %s to %s is followed', ([base, href]) => {
    expect(resolveHref(href, base)).toBe(new URL(href).href)
  })

  it.for<[string, string]>([
    ['https://example.com/', 'https://evil.com/'],
    ['https://example.com./', 'https://evil.com./'],
    ['https://ada.co.uk/', 'https://evil.co.uk/'],
    ['https://ada.k12.ca.us/', 'https://evil.k12.ca.us/'],
    ['https://ada.duckdns.org/', 'https://evil.duckdns.org/'],
    ['https://ada.synology.me/', 'https://evil.synology.me/'],
    ['https://ada.github.io/', 'https://evil.github.io/'],
    ['http://10.0.0.1/', 'https://9.0.0.1/'],
    ['http://dav.example.com/', 'http://evil.example.com/'],
    ['https://dav.example.com/', 'https://evil.example.com:8443/'],
  ])('from %s to %s is refused, because the password would be sent there', ([base, href]) => {
    expect(() => resolveHref(href, base)).toThrow('not-caldav')
  })
})
