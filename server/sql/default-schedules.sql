-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- default-schedules.list
select json_build_object(
  'spaces',
  (
    select coalesce(json_agg(row), '[]')
    from (
      select id as "spaceId", schedule_preference_id as "schedulePreferenceId"
      from spaces
      where user_id = $1 and schedule_preference_id is not null
      order by id
    ) row
  ),
  'projects',
  (
    select coalesce(json_agg(row), '[]')
    from (
      select id as "projectId", schedule_preference_id as "schedulePreferenceId"
      from projects
      where user_id = $1 and schedule_preference_id is not null
      order by id
    ) row
  )
)::text as json;
