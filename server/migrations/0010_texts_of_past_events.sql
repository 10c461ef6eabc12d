-- In a transaction of its own, so that nobody waits for it: no table is locked, only rows are.

-- Events that hold whole texts name them.
insert into texts (user_id, hash, content, last_event)
select user_id, text_hash(before ->> 'content'), before ->> 'content', seq
  from events
 where type in ('document.updated', 'document.deleted')
   and jsonb_typeof(before -> 'content') = 'string'
 order by user_id, seq desc
on conflict do nothing;
update events
   set before = case when jsonb_typeof(before -> 'content') = 'string'
                     then before || jsonb_build_object('content', jsonb_build_object(
                            'hash', encode(text_hash(before ->> 'content'), 'hex'),
                            'length', octet_length(before ->> 'content')))
                     else before end,
       after = case when jsonb_typeof(after -> 'content') = 'string'
                    then after || jsonb_build_object('content', jsonb_build_object(
                           'hash', encode(text_hash(after ->> 'content'), 'hex'),
                           'length', octet_length(after ->> 'content')))
                    else after end
 where type in ('document.created', 'document.updated', 'document.deleted')
   and (jsonb_typeof(before -> 'content') = 'string' or
        jsonb_typeof(after -> 'content') = 'string');
update events
   set bytes = coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0)
 where pg_column_size(events.*) > 1500;

-- Lists of days that no week has.
update schedule_preferences
   set windows = (select jsonb_agg(jsonb_set(part.value, '{day}',
                           (select jsonb_agg(distinct day.value)
                              from jsonb_array_elements(part.value -> 'day') day))
                           order by part.ordinality)
                    from jsonb_array_elements(windows) with ordinality part)
 where jsonb_path_exists(windows, '$[*] ? (@.day.size() > 7)');

update agendas agenda
   set task_count = (select count(*) from tasks where user_id = agenda.user_id),
       project_count = (select count(*) from projects where user_id = agenda.user_id),
       space_count = (select count(*) from spaces where user_id = agenda.user_id),
       label_count = (select count(*) from labels where user_id = agenda.user_id),
       document_count = (select count(*) from documents where user_id = agenda.user_id),
       checklist_item_count = (select count(*) from checklist_items where user_id = agenda.user_id),
       schedule_preference_count =
         (select count(*) from schedule_preferences where user_id = agenda.user_id),
       time_block_count = (select count(*) from time_blocks
                            where user_id = agenda.user_id and source = 'manual'),
       dependency_count = (select count(*) from task_dependencies where user_id = agenda.user_id),
       document_link_count = (select count(*) from task_documents where user_id = agenda.user_id),
       text_bytes =
         (select coalesce(sum(octet_length(content)), 0) from documents where user_id = agenda.user_id)
         + (select coalesce(sum(octet_length(description)), 0) from tasks where user_id = agenda.user_id)
         + (select coalesce(sum(octet_length(description)), 0) from projects where user_id = agenda.user_id),
       history_bytes =
         (select coalesce(sum(bytes), 0) from events where user_id = agenda.user_id)
         + (select coalesce(sum(octet_length(content)), 0) from texts where user_id = agenda.user_id);
