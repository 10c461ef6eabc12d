-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- settings.find
select json_build_object(
  'automatic', agenda.automatic, 'quietHours',
  case
    when agenda.quiet_from is not null then json_build_object(
      'from', to_char(agenda.quiet_from, 'HH24:MI'), 'to', to_char(agenda.quiet_to, 'HH24:MI')
    )
  end,
  'dailyRunAt', to_char(agenda.daily_run_at, 'HH24:MI'), 'morningSummaryAt',
  to_char(agenda.summary_at, 'HH24:MI'), 'deadlineAlerts', agenda.deadline_alerts, 'missedBlocks',
  agenda.missed_blocks, 'assumedMinutes', agenda.assumed_minutes, 'schedulePreferenceId',
  agenda.schedule_preference_id, 'planning',
  '{"lunch":null,"breaks":null,"dailyLimitMinutes":null,"keepFreePercent":0,"bufferMinutes":0,"focusHours":null,"deepWorkUntil":null}'::jsonb || agenda.planning
)::text as json
from agendas agenda
where agenda.user_id = $1;

-- settings.provide
insert into agendas (user_id) values ($1) on conflict do nothing;

-- settings.update
with given as (select schedule_preference_id from jsonb_populate_record(null::agendas, $2)),
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
    from agendas old, checked
    where old.user_id = $1 and missing is null
    for no key update of old
  ), new as (
    update agendas agenda
    set (
      automatic, quiet_from, quiet_to, daily_run_at, summary_at, deadline_alerts, missed_blocks,
      assumed_minutes, schedule_preference_id, planning
    ) = (
      select automatic, quiet_from, quiet_to, daily_run_at, summary_at, deadline_alerts,
        missed_blocks, assumed_minutes, schedule_preference_id, planning
      from jsonb_populate_record(
        agenda, $2::jsonb || jsonb_build_object('planning', agenda.planning || $3::jsonb)
      )
    ),
      stale_since = case
        when $4::boolean then coalesce(agenda.stale_since, current_timestamp)
        else agenda.stale_since
      end,
      due_at = least(agenda.due_at, current_timestamp)
    from old
    where agenda.user_id = $1 and old.differs
    returning agenda.*, old.differs
  )
select missing,
  (
    select json_build_object(
      'automatic', agenda.automatic, 'quietHours',
      case
        when agenda.quiet_from is not null then json_build_object(
          'from', to_char(agenda.quiet_from, 'HH24:MI'), 'to', to_char(agenda.quiet_to, 'HH24:MI')
        )
      end,
      'dailyRunAt', to_char(agenda.daily_run_at, 'HH24:MI'), 'morningSummaryAt',
      to_char(agenda.summary_at, 'HH24:MI'), 'deadlineAlerts', agenda.deadline_alerts,
      'missedBlocks', agenda.missed_blocks, 'assumedMinutes', agenda.assumed_minutes,
      'schedulePreferenceId', agenda.schedule_preference_id, 'planning',
      '{"lunch":null,"breaks":null,"dailyLimitMinutes":null,"keepFreePercent":0,"bufferMinutes":0,"focusHours":null,"deepWorkUntil":null}'::jsonb || agenda.planning
    )
    from old agenda
  )::text as before,
  (
    select json_build_object(
      'automatic', agenda.automatic, 'quietHours',
      case
        when agenda.quiet_from is not null then json_build_object(
          'from', to_char(agenda.quiet_from, 'HH24:MI'), 'to', to_char(agenda.quiet_to, 'HH24:MI')
        )
      end,
      'dailyRunAt', to_char(agenda.daily_run_at, 'HH24:MI'), 'morningSummaryAt',
      to_char(agenda.summary_at, 'HH24:MI'), 'deadlineAlerts', agenda.deadline_alerts,
      'missedBlocks', agenda.missed_blocks, 'assumedMinutes', agenda.assumed_minutes,
      'schedulePreferenceId', agenda.schedule_preference_id, 'planning',
      '{"lunch":null,"breaks":null,"dailyLimitMinutes":null,"keepFreePercent":0,"bufferMinutes":0,"focusHours":null,"deepWorkUntil":null}'::jsonb || agenda.planning
    )
    from (select * from new union all select * from old where not exists (select from new)) agenda
  )::text as after
from checked;
