-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- documents.delete
with old as (select id from documents where user_id = $1 and id = $2 for update),
  unlinked as (
    delete from task_documents
    where user_id = $1 and document_id in (select id from old)
    returning task_id
  ), gone as (delete from documents where user_id = $1 and id in (select id from old) returning *), change as (
    select 0 as place, 'document.deleted' as type, one.id, one.json as before, null::jsonb as after
    from (
      select document.id as id,
        (
          select to_jsonb(row)
          from (
            select document.id as "id", document.user_id as "userId",
              document.space_id as "spaceId", document.project_id as "projectId",
              document.title as "title",
              json_build_object(
                'hash', encode(document.content_hash, 'hex'), 'length',
                octet_length(document.content)
              ) as "content",
              document.url as "url", document.doc_type as "docType",
              document.sort_order as "sortOrder", iso(document.created_at) as "createdAt",
              iso(document.updated_at) as "updatedAt",
              (select coalesce(json_agg(task_id order by task_id), '[]') from unlinked) as "taskIds"
          ) row
        ) as json
      from gone document
    ) one
  ), counted as (
    insert into user_state (
      user_id, last_event, stale_since, due_at, document_count, document_link_count, text_bytes,
      history_bytes
    )
    select $1, 1, null, current_timestamp,
      coalesce(
        sum((change.after is not null)::int - (change.before is not null)::int) filter (
          where change.place in (0)
        ),
        0
      ),
      0 - (select count(*) from unlinked),
      coalesce(
        sum(
          coalesce((change.after -> 'content' ->> 'length')::bigint, 0) - coalesce(
            (change.before -> 'content' ->> 'length')::bigint, 0
          )
        ) filter (where change.place = 0),
        0
      ),
      sum(coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)) + coalesce(
        (select sum(octet_length(replaced.content)) from gone replaced), 0
      )
    from change
    having count(*) > 0
    on conflict (user_id) do update
    set last_event = user_state.last_event + 1, stale_since = user_state.stale_since,
      due_at = case
        when user_state.history_bytes > ($4::jsonb ->> 'historyBytes')::bigint then least(
          user_state.due_at, excluded.due_at
        )
        else case
          when user_state.has_webhooks
            or user_state.publishes then least(user_state.due_at, excluded.due_at)
          else user_state.due_at
        end
      end,
      document_count = case
        when excluded.document_count <= 0
          or (
            user_state.document_count + excluded.document_count > ($4::jsonb ->> 'documents')::bigint
          ) is not true then user_state.document_count + excluded.document_count
      end,
      document_link_count = case
        when excluded.document_link_count <= 0
          or (
            user_state.document_link_count + excluded.document_link_count > (
              $4::jsonb ->> 'documentLinks'
            )::bigint
          ) is not true then user_state.document_link_count + excluded.document_link_count
      end,
      text_bytes = case
        when excluded.text_bytes <= 0
          or (user_state.text_bytes + excluded.text_bytes > ($4::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
      end,
      history_bytes = user_state.history_bytes + excluded.history_bytes
    returning last_event
  ), recorded as (
    insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
    select $1, counted.last_event, row_number() over (order by change.place, change.id),
      change.type, change.id, change.before, change.after, $3::jsonb,
      coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
    from counted, change
  ), kept as (
    insert into texts (user_id, hash, content, last_event)
    select $1, replaced.content_hash, replaced.content, counted.last_event
    from counted, gone replaced
    on conflict (user_id, hash) do update
    set last_event = excluded.last_event
  )
select id
from gone;

-- documents.find
select (
  select to_json(row)
  from (
    select document.id as "id", document.user_id as "userId", document.space_id as "spaceId",
      document.project_id as "projectId", document.title as "title", document.content as "content",
      document.url as "url", document.doc_type as "docType", document.sort_order as "sortOrder",
      iso(document.created_at) as "createdAt", iso(document.updated_at) as "updatedAt",
      (
        select to_json(row)
        from (
          select space.id as "id", space.name as "name", space.color as "color"
          from spaces space
          where space.user_id = $1 and space.id = document.space_id
        ) row
      ) as "space",
      (
        select to_json(row)
        from (
          select project.id as "id", project.name as "name", project.color as "color"
          from projects project
          where project.user_id = $1 and project.id = document.project_id
        ) row
      ) as "project",
      (
        select coalesce(json_agg(row), '[]')
        from (
          select link.task_id as "taskId", link.document_id as "documentId",
            json_build_object('id', task.id, 'title', task.title, 'status', task.status) as "task"
          from task_documents link
          join tasks task on task.user_id = $1 and task.id = link.task_id
          where link.user_id = $1 and link.document_id = $2
          order by link.task_id
        ) row
      ) as "tasks"
  ) row
)::text as json
from documents document
where document.user_id = $1 and document.id = $2;

-- documents.find-text
select version.content
from (
  select document.content
  from documents document
  where document.user_id = $1 and document.id = $2 and document.content_hash = $3::bytea
  union all
  select kept.content
  from texts kept
  where kept.user_id = $1 and kept.hash = $3::bytea
    and exists (
      select
      from events event
      where event.user_id = $1 and event.record_id = $2
        and encode($3::bytea, 'hex') in (
          event.before -> 'content' ->> 'hash', event.after -> 'content' ->> 'hash'
        )
    )
  limit 1
) version;

-- documents.find-version
select (
  select to_json(row)
  from (
    select encode($2::bytea, 'hex') as "hash", octet_length(version.content) as "length",
      version.content as "content"
  ) row
)::text as json
from (
  select document.content
  from documents document
  where document.user_id = $1 and document.id = $3 and document.content_hash = $2::bytea
  union all
  select kept.content
  from texts kept
  where kept.user_id = $1 and kept.hash = $2::bytea
    and exists (
      select
      from events event
      where event.user_id = $1 and event.record_id = $3
        and encode($2::bytea, 'hex') in (
          event.before -> 'content' ->> 'hash', event.after -> 'content' ->> 'hash'
        )
    )
  limit 1
) version;

-- documents.insert
with given as (
  select $2::text as title, coalesce($3, '') as content, $4::text as url,
    coalesce($5::doc_type, 'note') as doc_type, $6::uuid as space_id, $7::uuid as project_id
), checked as (
  select case
    when given.space_id is not null
      and not exists (
        select from spaces where spaces.user_id = $1 and spaces.id = given.space_id for key share
      ) then 'spaceId'
    when given.project_id is not null
      and not exists (
        select
        from projects
        where projects.user_id = $1 and projects.id = given.project_id
        for key share
      ) then 'projectId'
  end as missing
  from given
), document as (
  insert into documents (user_id, id, title, content, url, doc_type, space_id, project_id)
  select $1, $8, title, content, url, doc_type, space_id, project_id
  from given, checked
  where missing is null
  returning *
), change as (
  select 0 as place, 'document.created' as type, one.id, null::jsonb as before, one.json as after
  from (
    select document.id as id,
      (
        select to_jsonb(row)
        from (
          select document.id as "id", document.user_id as "userId", document.space_id as "spaceId",
            document.project_id as "projectId", document.title as "title",
            json_build_object(
              'hash', encode(document.content_hash, 'hex'), 'length', octet_length(document.content)
            ) as "content",
            document.url as "url", document.doc_type as "docType",
            document.sort_order as "sortOrder", iso(document.created_at) as "createdAt",
            iso(document.updated_at) as "updatedAt"
        ) row
      ) as json
    from document document
  ) one
), counted as (
  insert into user_state (
    user_id, last_event, stale_since, due_at, document_count, text_bytes, history_bytes
  )
  select $1, 1, null, current_timestamp,
    coalesce(
      sum((change.after is not null)::int - (change.before is not null)::int) filter (
        where change.place in (0)
      ),
      0
    ),
    coalesce(
      sum(
        coalesce((change.after -> 'content' ->> 'length')::bigint, 0) - coalesce(
          (change.before -> 'content' ->> 'length')::bigint, 0
        )
      ) filter (where change.place = 0),
      0
    ),
    sum(coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0))
  from change
  having count(*) > 0
  on conflict (user_id) do update
  set last_event = user_state.last_event + 1, stale_since = user_state.stale_since,
    due_at = case
      when user_state.history_bytes > ($10::jsonb ->> 'historyBytes')::bigint then least(
        user_state.due_at, excluded.due_at
      )
      else case
        when user_state.has_webhooks
          or user_state.publishes then least(user_state.due_at, excluded.due_at)
        else user_state.due_at
      end
    end,
    document_count = case
      when excluded.document_count <= 0
        or (
          user_state.document_count + excluded.document_count > ($10::jsonb ->> 'documents')::bigint
        ) is not true then user_state.document_count + excluded.document_count
    end,
    text_bytes = case
      when excluded.text_bytes <= 0
        or (user_state.text_bytes + excluded.text_bytes > ($10::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
    end,
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $9::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select missing,
  case
    when document.id is not null then (
      select to_json(row)
      from (
        select document.id as "id", document.user_id as "userId", document.space_id as "spaceId",
          document.project_id as "projectId", document.title as "title",
          document.content as "content", document.url as "url", document.doc_type as "docType",
          document.sort_order as "sortOrder", iso(document.created_at) as "createdAt",
          iso(document.updated_at) as "updatedAt"
      ) row
    )::text
  end as json
from checked
left join document on true;

-- documents.list
select (
  select coalesce(json_agg(row), '[]')
  from (
    select document.id as "id", document.user_id as "userId", document.space_id as "spaceId",
      document.project_id as "projectId", document.title as "title", document.content as "content",
      document.url as "url", document.doc_type as "docType", document.sort_order as "sortOrder",
      iso(document.created_at) as "createdAt", iso(document.updated_at) as "updatedAt",
      (
        select to_json(row)
        from (
          select space.id as "id", space.name as "name", space.color as "color"
          from spaces space
          where space.user_id = $1 and space.id = document.space_id
        ) row
      ) as "space",
      (
        select to_json(row)
        from (
          select project.id as "id", project.name as "name", project.color as "color"
          from projects project
          where project.user_id = $1 and project.id = document.project_id
        ) row
      ) as "project"
    from documents document
    where document.user_id = $1
    order by document.sort_order, document.id
  ) row
)::text as json;

-- documents.list-excerpts
select (
  select coalesce(json_agg(row), '[]')
  from (
    select document.id as "id", document.user_id as "userId", document.space_id as "spaceId",
      document.project_id as "projectId", document.title as "title",
      left(document.content, 400) as "content", document.url as "url",
      document.doc_type as "docType", document.sort_order as "sortOrder",
      iso(document.created_at) as "createdAt", iso(document.updated_at) as "updatedAt",
      (
        select to_json(row)
        from (
          select space.id as "id", space.name as "name", space.color as "color"
          from spaces space
          where space.user_id = $1 and space.id = document.space_id
        ) row
      ) as "space",
      (
        select to_json(row)
        from (
          select project.id as "id", project.name as "name", project.color as "color"
          from projects project
          where project.user_id = $1 and project.id = document.project_id
        ) row
      ) as "project"
    from documents document
    where document.user_id = $1
    order by document.sort_order, document.id
  ) row
)::text as json;

-- documents.list-excerpts-in-project
select (
  select coalesce(json_agg(row), '[]')
  from (
    select document.id as "id", document.user_id as "userId", document.space_id as "spaceId",
      document.project_id as "projectId", document.title as "title",
      left(document.content, 400) as "content", document.url as "url",
      document.doc_type as "docType", document.sort_order as "sortOrder",
      iso(document.created_at) as "createdAt", iso(document.updated_at) as "updatedAt",
      (
        select to_json(row)
        from (
          select space.id as "id", space.name as "name", space.color as "color"
          from spaces space
          where space.user_id = $1 and space.id = document.space_id
        ) row
      ) as "space",
      (
        select to_json(row)
        from (
          select project.id as "id", project.name as "name", project.color as "color"
          from projects project
          where project.user_id = $1 and project.id = document.project_id
        ) row
      ) as "project"
    from documents document
    where document.user_id = $1 and document.project_id = $2
    order by document.sort_order, document.id
  ) row
)::text as json;

-- documents.list-excerpts-in-space
select (
  select coalesce(json_agg(row), '[]')
  from (
    select document.id as "id", document.user_id as "userId", document.space_id as "spaceId",
      document.project_id as "projectId", document.title as "title",
      left(document.content, 400) as "content", document.url as "url",
      document.doc_type as "docType", document.sort_order as "sortOrder",
      iso(document.created_at) as "createdAt", iso(document.updated_at) as "updatedAt",
      (
        select to_json(row)
        from (
          select space.id as "id", space.name as "name", space.color as "color"
          from spaces space
          where space.user_id = $1 and space.id = document.space_id
        ) row
      ) as "space",
      (
        select to_json(row)
        from (
          select project.id as "id", project.name as "name", project.color as "color"
          from projects project
          where project.user_id = $1 and project.id = document.project_id
        ) row
      ) as "project"
    from documents document
    where document.user_id = $1 and document.space_id = $2
    order by document.sort_order, document.id
  ) row
)::text as json;

-- documents.list-excerpts-in-space-and-project
select (
  select coalesce(json_agg(row), '[]')
  from (
    select document.id as "id", document.user_id as "userId", document.space_id as "spaceId",
      document.project_id as "projectId", document.title as "title",
      left(document.content, 400) as "content", document.url as "url",
      document.doc_type as "docType", document.sort_order as "sortOrder",
      iso(document.created_at) as "createdAt", iso(document.updated_at) as "updatedAt",
      (
        select to_json(row)
        from (
          select space.id as "id", space.name as "name", space.color as "color"
          from spaces space
          where space.user_id = $1 and space.id = document.space_id
        ) row
      ) as "space",
      (
        select to_json(row)
        from (
          select project.id as "id", project.name as "name", project.color as "color"
          from projects project
          where project.user_id = $1 and project.id = document.project_id
        ) row
      ) as "project"
    from documents document
    where document.user_id = $1 and document.space_id = $2 and document.project_id = $3
    order by document.sort_order, document.id
  ) row
)::text as json;

-- documents.list-in-project
select (
  select coalesce(json_agg(row), '[]')
  from (
    select document.id as "id", document.user_id as "userId", document.space_id as "spaceId",
      document.project_id as "projectId", document.title as "title", document.content as "content",
      document.url as "url", document.doc_type as "docType", document.sort_order as "sortOrder",
      iso(document.created_at) as "createdAt", iso(document.updated_at) as "updatedAt",
      (
        select to_json(row)
        from (
          select space.id as "id", space.name as "name", space.color as "color"
          from spaces space
          where space.user_id = $1 and space.id = document.space_id
        ) row
      ) as "space",
      (
        select to_json(row)
        from (
          select project.id as "id", project.name as "name", project.color as "color"
          from projects project
          where project.user_id = $1 and project.id = document.project_id
        ) row
      ) as "project"
    from documents document
    where document.user_id = $1 and document.project_id = $2
    order by document.sort_order, document.id
  ) row
)::text as json;

-- documents.list-in-space
select (
  select coalesce(json_agg(row), '[]')
  from (
    select document.id as "id", document.user_id as "userId", document.space_id as "spaceId",
      document.project_id as "projectId", document.title as "title", document.content as "content",
      document.url as "url", document.doc_type as "docType", document.sort_order as "sortOrder",
      iso(document.created_at) as "createdAt", iso(document.updated_at) as "updatedAt",
      (
        select to_json(row)
        from (
          select space.id as "id", space.name as "name", space.color as "color"
          from spaces space
          where space.user_id = $1 and space.id = document.space_id
        ) row
      ) as "space",
      (
        select to_json(row)
        from (
          select project.id as "id", project.name as "name", project.color as "color"
          from projects project
          where project.user_id = $1 and project.id = document.project_id
        ) row
      ) as "project"
    from documents document
    where document.user_id = $1 and document.space_id = $2
    order by document.sort_order, document.id
  ) row
)::text as json;

-- documents.list-in-space-and-project
select (
  select coalesce(json_agg(row), '[]')
  from (
    select document.id as "id", document.user_id as "userId", document.space_id as "spaceId",
      document.project_id as "projectId", document.title as "title", document.content as "content",
      document.url as "url", document.doc_type as "docType", document.sort_order as "sortOrder",
      iso(document.created_at) as "createdAt", iso(document.updated_at) as "updatedAt",
      (
        select to_json(row)
        from (
          select space.id as "id", space.name as "name", space.color as "color"
          from spaces space
          where space.user_id = $1 and space.id = document.space_id
        ) row
      ) as "space",
      (
        select to_json(row)
        from (
          select project.id as "id", project.name as "name", project.color as "color"
          from projects project
          where project.user_id = $1 and project.id = document.project_id
        ) row
      ) as "project"
    from documents document
    where document.user_id = $1 and document.space_id = $2 and document.project_id = $3
    order by document.sort_order, document.id
  ) row
)::text as json;

-- documents.update
with given as (select space_id, project_id from jsonb_populate_record(null::documents, $2)),
  checked as (
    select case
      when given.space_id is not null
        and not exists (
          select from spaces where spaces.user_id = $1 and spaces.id = given.space_id for key share
        ) then 'spaceId'
      when given.project_id is not null
        and not exists (
          select
          from projects
          where projects.user_id = $1 and projects.id = given.project_id
          for key share
        ) then 'projectId'
    end as missing
    from given
  ), old as (
    select old.*, old is distinct from jsonb_populate_record(old, $2) as differs
    from documents old, checked
    where old.user_id = $1 and old.id = $3 and missing is null
    for no key update of old
  ), document as (
    update documents document
    set (title, url, doc_type, space_id, project_id, sort_order) = (
      select title, url, doc_type, space_id, project_id, sort_order
      from jsonb_populate_record(document, $2)
    ),
      updated_at = greatest(current_timestamp, document.updated_at + interval '1 millisecond')
    from old
    where document.user_id = $1 and document.id = old.id and old.differs
    returning document.*, old.differs
  ), change as (
    select 0 as place, 'document.updated' as type, new.id, old.json as before, new.json as after
    from (
      select document.id as id,
        (
          select to_jsonb(row)
          from (
            select document.id as "id", document.user_id as "userId",
              document.space_id as "spaceId", document.project_id as "projectId",
              document.title as "title",
              json_build_object(
                'hash', encode(document.content_hash, 'hex'), 'length',
                octet_length(document.content)
              ) as "content",
              document.url as "url", document.doc_type as "docType",
              document.sort_order as "sortOrder", iso(document.created_at) as "createdAt",
              iso(document.updated_at) as "updatedAt"
          ) row
        ) as json
      from old document
    ) old
    join (
      select document.id as id,
        (
          select to_jsonb(row)
          from (
            select document.id as "id", document.user_id as "userId",
              document.space_id as "spaceId", document.project_id as "projectId",
              document.title as "title",
              json_build_object(
                'hash', encode(document.content_hash, 'hex'), 'length',
                octet_length(document.content)
              ) as "content",
              document.url as "url", document.doc_type as "docType",
              document.sort_order as "sortOrder", iso(document.created_at) as "createdAt",
              iso(document.updated_at) as "updatedAt"
          ) row
        ) as json
      from document document
    ) new using (id)
  ), counted as (
    insert into user_state (user_id, last_event, stale_since, due_at, text_bytes, history_bytes)
    select $1, 1, null, current_timestamp,
      coalesce(
        sum(
          coalesce((change.after -> 'content' ->> 'length')::bigint, 0) - coalesce(
            (change.before -> 'content' ->> 'length')::bigint, 0
          )
        ) filter (where change.place = 0),
        0
      ),
      sum(coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0))
    from change
    having count(*) > 0
    on conflict (user_id) do update
    set last_event = user_state.last_event + 1, stale_since = user_state.stale_since,
      due_at = case
        when user_state.history_bytes > ($5::jsonb ->> 'historyBytes')::bigint then least(
          user_state.due_at, excluded.due_at
        )
        else case
          when user_state.has_webhooks
            or user_state.publishes then least(user_state.due_at, excluded.due_at)
          else user_state.due_at
        end
      end,
      text_bytes = case
        when excluded.text_bytes <= 0
          or (user_state.text_bytes + excluded.text_bytes > ($5::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
      end,
      history_bytes = user_state.history_bytes + excluded.history_bytes
    returning last_event
  ), recorded as (
    insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
    select $1, counted.last_event, row_number() over (order by change.place, change.id),
      change.type, change.id, change.before, change.after, $4::jsonb,
      coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
    from counted, change
  )
select missing,
  case
    when document.id is not null then (
      select to_json(row)
      from (
        select document.id as "id", document.user_id as "userId", document.space_id as "spaceId",
          document.project_id as "projectId", document.title as "title",
          document.content as "content", document.url as "url", document.doc_type as "docType",
          document.sort_order as "sortOrder", iso(document.created_at) as "createdAt",
          iso(document.updated_at) as "updatedAt"
      ) row
    )::text
  end as json
from checked, documents known
left join (
  select * from document union all select * from old where not exists (select from document)
) document on true
where known.user_id = $1 and known.id = $3;

-- documents.update-content
with given as (select space_id, project_id from jsonb_populate_record(null::documents, $2)),
  checked as (
    select case
      when given.space_id is not null
        and not exists (
          select from spaces where spaces.user_id = $1 and spaces.id = given.space_id for key share
        ) then 'spaceId'
      when given.project_id is not null
        and not exists (
          select
          from projects
          where projects.user_id = $1 and projects.id = given.project_id
          for key share
        ) then 'projectId'
    end as missing
    from given
  ), old as (
    select old.*, old is distinct from jsonb_populate_record(old, $2) as differs
    from documents old, checked
    where old.user_id = $1 and old.id = $3 and missing is null
    for no key update of old
  ), document as (
    update documents document
    set (title, url, doc_type, space_id, project_id, sort_order, content) = (
      select title, url, doc_type, space_id, project_id, sort_order, content
      from jsonb_populate_record(document, $2)
    ),
      updated_at = greatest(current_timestamp, document.updated_at + interval '1 millisecond')
    from old
    where document.user_id = $1 and document.id = old.id and old.differs
    returning document.*, old.differs
  ), change as (
    select 0 as place, 'document.updated' as type, new.id, old.json as before, new.json as after
    from (
      select document.id as id,
        (
          select to_jsonb(row)
          from (
            select document.id as "id", document.user_id as "userId",
              document.space_id as "spaceId", document.project_id as "projectId",
              document.title as "title",
              json_build_object(
                'hash', encode(document.content_hash, 'hex'), 'length',
                octet_length(document.content)
              ) as "content",
              document.url as "url", document.doc_type as "docType",
              document.sort_order as "sortOrder", iso(document.created_at) as "createdAt",
              iso(document.updated_at) as "updatedAt"
          ) row
        ) as json
      from old document
    ) old
    join (
      select document.id as id,
        (
          select to_jsonb(row)
          from (
            select document.id as "id", document.user_id as "userId",
              document.space_id as "spaceId", document.project_id as "projectId",
              document.title as "title",
              json_build_object(
                'hash', encode(document.content_hash, 'hex'), 'length',
                octet_length(document.content)
              ) as "content",
              document.url as "url", document.doc_type as "docType",
              document.sort_order as "sortOrder", iso(document.created_at) as "createdAt",
              iso(document.updated_at) as "updatedAt"
          ) row
        ) as json
      from document document
    ) new using (id)
  ), counted as (
    insert into user_state (user_id, last_event, stale_since, due_at, text_bytes, history_bytes)
    select $1, 1, null, current_timestamp,
      coalesce(
        sum(
          coalesce((change.after -> 'content' ->> 'length')::bigint, 0) - coalesce(
            (change.before -> 'content' ->> 'length')::bigint, 0
          )
        ) filter (where change.place = 0),
        0
      ),
      sum(coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)) + coalesce(
        (
          select sum(octet_length(replaced.content))
          from (select old.* from old, document where old.content_hash <> document.content_hash) replaced
        ),
        0
      )
    from change
    having count(*) > 0
    on conflict (user_id) do update
    set last_event = user_state.last_event + 1, stale_since = user_state.stale_since,
      due_at = case
        when user_state.history_bytes > ($5::jsonb ->> 'historyBytes')::bigint then least(
          user_state.due_at, excluded.due_at
        )
        else case
          when user_state.has_webhooks
            or user_state.publishes then least(user_state.due_at, excluded.due_at)
          else user_state.due_at
        end
      end,
      text_bytes = case
        when excluded.text_bytes <= 0
          or (user_state.text_bytes + excluded.text_bytes > ($5::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
      end,
      history_bytes = user_state.history_bytes + excluded.history_bytes
    returning last_event
  ), recorded as (
    insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
    select $1, counted.last_event, row_number() over (order by change.place, change.id),
      change.type, change.id, change.before, change.after, $4::jsonb,
      coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
    from counted, change
  ), kept as (
    insert into texts (user_id, hash, content, last_event)
    select $1, replaced.content_hash, replaced.content, counted.last_event
    from counted,
      (select old.* from old, document where old.content_hash <> document.content_hash) replaced
    on conflict (user_id, hash) do update
    set last_event = excluded.last_event
  )
select missing,
  case
    when document.id is not null then (
      select to_json(row)
      from (
        select document.id as "id", document.user_id as "userId", document.space_id as "spaceId",
          document.project_id as "projectId", document.title as "title",
          document.content as "content", document.url as "url", document.doc_type as "docType",
          document.sort_order as "sortOrder", iso(document.created_at) as "createdAt",
          iso(document.updated_at) as "updatedAt"
      ) row
    )::text
  end as json
from checked, documents known
left join (
  select * from document union all select * from old where not exists (select from document)
) document on true
where known.user_id = $1 and known.id = $3;
