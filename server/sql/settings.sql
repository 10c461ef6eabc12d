-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- settings.find
select json_build_object(
  'automatic', settings.automatic, 'quietHours',
  case
    when settings.quiet_from is not null then json_build_object(
      'from', to_char(settings.quiet_from, 'HH24:MI'), 'to', to_char(settings.quiet_to, 'HH24:MI')
    )
  end,
  'dailyRunAt', to_char(settings.daily_run_at, 'HH24:MI'), 'morningSummaryAt',
  to_char(settings.summary_at, 'HH24:MI'), 'deadlineAlerts', settings.deadline_alerts,
  'missedBlocks', settings.missed_blocks, 'assumedMinutes', settings.assumed_minutes,
  'schedulePreferenceId', settings.schedule_preference_id, 'planning',
  '{"lunch":null,"breaks":null,"dailyLimitMinutes":null,"keepFreePercent":0,"bufferMinutes":0,"focusHours":null,"deepWorkUntil":null}'::jsonb || settings.planning
)::text as json
from (
  select settings.*, user_state.automatic
  from user_settings settings
  join user_state on user_state.user_id = $1
  where settings.user_id = $1
) settings;

-- settings.provide
with settings as (
  insert into user_settings (user_id) values ($1) on conflict do nothing returning user_id
), counted as (select count(*) from settings)
insert into user_state (user_id)
select $1
from counted
on conflict do nothing;

-- settings.update
with given as (select schedule_preference_id from jsonb_populate_record(null::user_settings, $2)),
  checked as (
    select case
      when given.schedule_preference_id is not null
        and not exists (
          select
          from schedule_preferences
          where schedule_preferences.user_id = $1
            and schedule_preferences.id = given.schedule_preference_id
          for key share
        ) then 'schedulePreferenceId'
    end as missing
    from given
  ), old as (
    select old.*,
      old is distinct from jsonb_populate_record(
        old, $2::jsonb || jsonb_build_object('planning', old.planning || $3::jsonb)
      ) as differs
    from user_settings old, checked
    where old.user_id = $1 and missing is null
    for no key update of old
  ), was as (
    select old.*, user_state.automatic, old.differs
      or user_state.automatic <> coalesce(
        ($2::jsonb ->> 'automatic')::boolean, user_state.automatic
      ) as changed
    from old, user_state
    where user_state.user_id = $1
    for no key update of user_state
  ), new as (
    update user_settings settings
    set (
      quiet_from, quiet_to, daily_run_at, summary_at, deadline_alerts, missed_blocks,
      assumed_minutes, schedule_preference_id, planning
    ) = (
      select quiet_from, quiet_to, daily_run_at, summary_at, deadline_alerts, missed_blocks,
        assumed_minutes, schedule_preference_id, planning
      from jsonb_populate_record(
        settings, $2::jsonb || jsonb_build_object('planning', settings.planning || $3::jsonb)
      )
    )
    from was
    where settings.user_id = $1 and was.changed
    returning settings.*
  ), due as (
    update user_state
    set automatic = coalesce(($2::jsonb ->> 'automatic')::boolean, user_state.automatic),
      stale_since = case
        when $4::boolean then coalesce(user_state.stale_since, current_timestamp)
        else user_state.stale_since
      end,
      due_at = least(user_state.due_at, current_timestamp)
    from was
    where user_state.user_id = $1 and was.changed
    returning user_state.automatic
  )
select missing,
  (
    select json_build_object(
      'automatic', settings.automatic, 'quietHours',
      case
        when settings.quiet_from is not null then json_build_object(
          'from', to_char(settings.quiet_from, 'HH24:MI'), 'to',
          to_char(settings.quiet_to, 'HH24:MI')
        )
      end,
      'dailyRunAt', to_char(settings.daily_run_at, 'HH24:MI'), 'morningSummaryAt',
      to_char(settings.summary_at, 'HH24:MI'), 'deadlineAlerts', settings.deadline_alerts,
      'missedBlocks', settings.missed_blocks, 'assumedMinutes', settings.assumed_minutes,
      'schedulePreferenceId', settings.schedule_preference_id, 'planning',
      '{"lunch":null,"breaks":null,"dailyLimitMinutes":null,"keepFreePercent":0,"bufferMinutes":0,"focusHours":null,"deepWorkUntil":null}'::jsonb || settings.planning
    )
    from was settings
  )::text as before,
  (
    select json_build_object(
      'automatic', settings.automatic, 'quietHours',
      case
        when settings.quiet_from is not null then json_build_object(
          'from', to_char(settings.quiet_from, 'HH24:MI'), 'to',
          to_char(settings.quiet_to, 'HH24:MI')
        )
      end,
      'dailyRunAt', to_char(settings.daily_run_at, 'HH24:MI'), 'morningSummaryAt',
      to_char(settings.summary_at, 'HH24:MI'), 'deadlineAlerts', settings.deadline_alerts,
      'missedBlocks', settings.missed_blocks, 'assumedMinutes', settings.assumed_minutes,
      'schedulePreferenceId', settings.schedule_preference_id, 'planning',
      '{"lunch":null,"breaks":null,"dailyLimitMinutes":null,"keepFreePercent":0,"bufferMinutes":0,"focusHours":null,"deepWorkUntil":null}'::jsonb || settings.planning
    )
    from (select new.*, due.automatic from new, due) settings
  )::text as after
from checked;
