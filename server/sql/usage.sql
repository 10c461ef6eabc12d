-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- usage.find
select coalesce(
  (
    select json_build_object(
      'tasks',
      json_build_object('used', user_state.task_count, 'limit', ($2::jsonb ->> 'tasks')::bigint),
      'projects',
      json_build_object(
        'used', user_state.project_count, 'limit', ($2::jsonb ->> 'projects')::bigint
      ),
      'spaces',
      json_build_object('used', user_state.space_count, 'limit', ($2::jsonb ->> 'spaces')::bigint),
      'labels',
      json_build_object('used', user_state.label_count, 'limit', ($2::jsonb ->> 'labels')::bigint),
      'documents',
      json_build_object(
        'used', user_state.document_count, 'limit', ($2::jsonb ->> 'documents')::bigint
      ),
      'checklistItems',
      json_build_object(
        'used', user_state.checklist_item_count, 'limit', ($2::jsonb ->> 'checklistItems')::bigint
      ),
      'schedulePreferences',
      json_build_object(
        'used', user_state.schedule_preference_count, 'limit',
        ($2::jsonb ->> 'schedulePreferences')::bigint
      ),
      'timeBlocks',
      json_build_object(
        'used', user_state.time_block_count, 'limit', ($2::jsonb ->> 'timeBlocks')::bigint
      ),
      'dependencies',
      json_build_object(
        'used', user_state.dependency_count, 'limit', ($2::jsonb ->> 'dependencies')::bigint
      ),
      'documentLinks',
      json_build_object(
        'used', user_state.document_link_count, 'limit', ($2::jsonb ->> 'documentLinks')::bigint
      ),
      'notifications',
      json_build_object(
        'used', user_state.notification_count, 'limit', ($2::jsonb ->> 'notifications')::bigint
      ),
      'textBytes',
      json_build_object('used', user_state.text_bytes, 'limit', ($2::jsonb ->> 'textBytes')::bigint),
      'historyBytes',
      json_build_object(
        'used', user_state.history_bytes, 'limit', ($2::jsonb ->> 'historyBytes')::bigint
      )
    )
    from user_state
    where user_state.user_id = $1
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
select from user_state where user_id = $1 for no key update;

-- usage.recount
update user_state
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
    select coalesce(sum((300 + 2 * octet_length(key) + coalesce(octet_length(body), 0))), 0)
    from idempotency_keys
    where user_id = $1
  )
where user_id = $1;
