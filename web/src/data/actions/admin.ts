import type { Account, AccountChanges, Job } from '@daywright/contract'
import { api } from '../api.ts'
import { keys } from '../keys.ts'
import type { Action } from '../action.ts'

export const updateAccount = (account: Account, changes: AccountChanges, says: string): Action => ({
  says,
  expect: ({ update }) =>
    update<Account[]>(keys.accounts, (all) =>
      all.map((each) => (each.id === account.id ? { ...each, ...changes } : each)),
    ),
  send: () => api.admin.users.update(account.id, changes),
  refreshes: [keys.accounts],
  undo: () => {
    const { role, disabled, jobsStopped } = account
    return updateAccount({ ...account, ...changes }, { role, disabled, jobsStopped }, 'Undone.')
  },
})

const without = (job: Job): Pick<Action, 'expect' | 'refreshes'> => ({
  expect: ({ update }) =>
    update<Job[]>(keys.jobs, (jobs) => jobs.filter(({ id }) => id !== job.id)),
  refreshes: [keys.jobs],
})

export const retryJob = (job: Job): Action => ({
  ...without(job),
  says: 'Retrying the job.',
  send: () => api.admin.jobs.retry(job.id),
})

export const discardJob = (job: Job): Action => ({
  ...without(job),
  says: 'Discarded.',
  send: () => api.admin.jobs.discard(job.id),
})
