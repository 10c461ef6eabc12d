/** A profile on the wire, as SQL over the user's row `person`. */
export const profile = {
  id: 'person.id',
  email: 'person.email',
  displayName: 'person.display_name',
  timezone: 'person.timezone',
  isAdmin: `person.role = 'admin'`,
}

export const userRecord = {
  fields: {
    ...profile,
    disabled: 'person.disabled_at is not null',
    jobsStopped: 'person.jobs_stopped_at is not null',
  },
  row: 'person',
}
