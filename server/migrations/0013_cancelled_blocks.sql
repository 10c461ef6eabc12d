-- Every run of the planner removes blocks that were cancelled long ago: found by their age, and the
-- others are not read.
create index time_blocks_cancelled on time_blocks (user_id, cancelled_at) where status = 'cancelled';
