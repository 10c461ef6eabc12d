-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- quick-add.names
select (
  select coalesce(json_agg(row), '[]')
  from (
    select space.id as "id", space.name as "name"
    from spaces space
    where space.user_id = $1 and left(ltrim(space.name), 1) = any($2::text[])
    order by space.sort_order, space.created_at, space.id
  ) row
) as spaces,
  (
    select coalesce(json_agg(row), '[]')
    from (
      select project.id as "id", project.name as "name", project.space_id as "spaceId"
      from projects project
      where project.user_id = $1 and not project.archived
        and left(ltrim(project.name), 1) = any($2::text[])
      order by project.sort_order, project.id
    ) row
  ) as projects,
  (
    select coalesce(json_agg(row), '[]')
    from (
      select label.id as "id", label.name as "name"
      from labels label
      where label.user_id = $1 and left(ltrim(label.name), 1) = any($2::text[])
      order by label.name
    ) row
  ) as labels;
