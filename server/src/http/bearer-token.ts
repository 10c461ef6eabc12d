/** What follows `Bearer` in an Authorization header; the scheme's name may have any case (RFC 9110). */
export const bearerToken = (authorization: string | undefined) =>
  authorization?.slice(0, 7).toLowerCase() === 'bearer ' ? authorization.slice(7) : undefined
