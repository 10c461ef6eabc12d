import { useQuery } from '@tanstack/react-query'
import { cache } from './cache.ts'
import { keys } from './keys.ts'
import { queries } from './queries.ts'

/** Who is signed in; undefined on the pages before that. */
export const useProfile = () =>
  useQuery({ ...queries.profile(), enabled: cache.getQueryData(keys.profile) !== undefined }).data
