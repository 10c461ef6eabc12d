/** The token of an `Authorization: Bearer` header; the scheme is case-insensitive (RFC 9110). */
export const bearerToken = (authorization: string | undefined) =>
  authorization?.slice(0, 7).toLowerCase() === 'bearer ' ? authorization.slice(7) : undefined
