// Before the first paint, so that a dark page never flashes white. The rest is in shell/device.ts.
;(function () {
  let device = {}
  try {
    device = JSON.parse(localStorage.getItem('daywright.device') ?? '{}')
  } catch {
    // Another site's leavings, or storage is switched off: as on the first visit.
  }
  const dark =
    device.theme === 'dark' ||
    (device.theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  document.documentElement.dataset.density = device.density ?? 'normal'
})()
