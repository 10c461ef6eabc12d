import { hashPassword } from '../../../server/src/platform/auth/password.ts'
import { plantedPassword } from '../kit/secrets.ts'

/** The initial password of all users; hashing one for each would take too long. */
export const password = `${plantedPassword} of everyone`
export const passwordHash = hashPassword(password)
