import { foreignAttacks } from './foreign-attacks.ts'
import { requestAttacks } from './request-attacks.ts'

export const attacks = { ...requestAttacks, ...foreignAttacks }

export type AttackName = keyof typeof attacks
