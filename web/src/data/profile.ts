import type { Profile } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { browserZone, type Zone } from '../time/zone.ts'
import { cache } from './query-client.ts'
import { keys } from './keys.ts'
import { queries } from './queries.ts'

/** The signed-in user; undefined on the pages before sign-in. */
export const useProfile = () =>
  useQuery({ ...queries.profile(), enabled: cache.getQueryData(keys.profile) !== undefined }).data

/** The user's time zone, which may differ from the browser's. */
export const useZone = (): Zone => useProfile()?.timezone ?? browserZone()

/** The user's time zone, for code outside of components. */
export const currentZone = (): Zone =>
  cache.getQueryData<Profile>(keys.profile)?.timezone ?? browserZone()
