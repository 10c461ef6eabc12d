/** The names of providers, by kind of account or calendar. Other kinds have no provider. */
export const providerNames: Partial<Record<string, string>> = {
  google: 'Google',
  microsoft: 'Microsoft',
}
