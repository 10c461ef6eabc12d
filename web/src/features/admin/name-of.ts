import type { Account } from '@daywright/contract'

export const nameOf = ({ displayName, email }: Account) => displayName || email
