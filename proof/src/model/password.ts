import { hashPassword } from '../../../server/src/auth/password.ts'
import { plantedPassword } from '../kit/secrets.ts'

/** Everyone's at first; hashing one for each would take longer than all the rest. */
export const password = `${plantedPassword} of everyone`
export const passwordHash = hashPassword(password)
