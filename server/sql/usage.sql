-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- usage.find
select coalesce(
  (
    select json_build_object(
      'tasks',
      json_build_object('used', agenda.task_count, 'limit', ($2::jsonb ->> 'tasks')::bigint),
      'projects',
      json_build_object('used', agenda.project_count, 'limit', ($2::jsonb ->> 'projects')::bigint),
      'spaces',
      json_build_object('used', agenda.space_count, 'limit', ($2::jsonb ->> 'spaces')::bigint),
      'labels',
      json_build_object('used', agenda.label_count, 'limit', ($2::jsonb ->> 'labels')::bigint),
      'documents',
      json_build_object('used', agenda.document_count, 'limit', ($2::jsonb ->> 'documents')::bigint),
      'checklistItems',
      json_build_object(
        'used', agenda.checklist_item_count, 'limit', ($2::jsonb ->> 'checklistItems')::bigint
      ),
      'schedulePreferences',
      json_build_object(
        'used', agenda.schedule_preference_count, 'limit',
        ($2::jsonb ->> 'schedulePreferences')::bigint
      ),
      'timeBlocks',
      json_build_object(
        'used', agenda.time_block_count, 'limit', ($2::jsonb ->> 'timeBlocks')::bigint
      ),
      'dependencies',
      json_build_object(
        'used', agenda.dependency_count, 'limit', ($2::jsonb ->> 'dependencies')::bigint
      ),
      'documentLinks',
      json_build_object(
        'used', agenda.document_link_count, 'limit', ($2::jsonb ->> 'documentLinks')::bigint
      ),
      'notifications',
      json_build_object(
        'used', agenda.notification_count, 'limit', ($2::jsonb ->> 'notifications')::bigint
      ),
      'textBytes',
      json_build_object('used', agenda.text_bytes, 'limit', ($2::jsonb ->> 'textBytes')::bigint),
      'historyBytes',
      json_build_object(
        'used', agenda.history_bytes, 'limit', ($2::jsonb ->> 'historyBytes')::bigint
      )
    )
    from agendas agenda
    where agenda.user_id = $1
  ),
  json_build_object(
    'tasks', json_build_object('used', 0, 'limit', ($2::jsonb ->> 'tasks')::bigint), 'projects',
    json_build_object('used', 0, 'limit', ($2::jsonb ->> 'projects')::bigint), 'spaces',
    json_build_object('used', 0, 'limit', ($2::jsonb ->> 'spaces')::bigint), 'labels',
    json_build_object('used', 0, 'limit', ($2::jsonb ->> 'labels')::bigint), 'documents',
    json_build_object('used', 0, 'limit', ($2::jsonb ->> 'documents')::bigint), 'checklistItems',
    json_build_object('used', 0, 'limit', ($2::jsonb ->> 'checklistItems')::bigint),
    'schedulePreferences',
    json_build_object('used', 0, 'limit', ($2::jsonb ->> 'schedulePreferences')::bigint),
    'timeBlocks', json_build_object('used', 0, 'limit', ($2::jsonb ->> 'timeBlocks')::bigint),
    'dependencies', json_build_object('used', 0, 'limit', ($2::jsonb ->> 'dependencies')::bigint),
    'documentLinks', json_build_object('used', 0, 'limit', ($2::jsonb ->> 'documentLinks')::bigint),
    'notifications', json_build_object('used', 0, 'limit', ($2::jsonb ->> 'notifications')::bigint),
    'textBytes', json_build_object('used', 0, 'limit', ($2::jsonb ->> 'textBytes')::bigint),
    'historyBytes', json_build_object('used', 0, 'limit', ($2::jsonb ->> 'historyBytes')::bigint)
  )
)::text as json
from users person
where person.id = $1;

-- usage.lock
select from agendas where user_id = $1 for no key update;

-- usage.recount
update agendas
set task_count = (select count(*) from tasks where user_id = $1),
  project_count = (select count(*) from projects where user_id = $1),
  space_count = (select count(*) from spaces where user_id = $1),
  label_count = (select count(*) from labels where user_id = $1),
  document_count = (select count(*) from documents where user_id = $1),
  checklist_item_count = (select count(*) from checklist_items where user_id = $1),
  schedule_preference_count = (select count(*) from schedule_preferences where user_id = $1),
  time_block_count = (select count(*) from time_blocks where user_id = $1 and source = 'manual'),
  dependency_count = (select count(*) from task_dependencies where user_id = $1),
  document_link_count = (select count(*) from task_documents where user_id = $1),
  notification_count = (select count(*) from notifications where user_id = $1),
  text_bytes = (select coalesce(sum(octet_length(content)), 0) from documents where user_id = $1) + (
    select coalesce(sum(octet_length(description)), 0) from tasks where user_id = $1
  ) + (select coalesce(sum(octet_length(description)), 0) from projects where user_id = $1),
  history_bytes = (select coalesce(sum(bytes), 0) from events where user_id = $1) + (
    select coalesce(sum(octet_length(content)), 0) from texts where user_id = $1
  ),
  answer_bytes = (
    select coalesce(sum(octet_length(body)), 0) from idempotency_keys where user_id = $1
  )
where user_id = $1;
