import { useQuery } from '@tanstack/react-query'
import { cache } from './cache.ts'
import { keys } from './keys.ts'
import { queries } from './queries.ts'

/** The signed-in user; undefined on the pages before sign-in. */
export const useProfile = () =>
  useQuery({ ...queries.profile(), enabled: cache.getQueryData(keys.profile) !== undefined }).data
