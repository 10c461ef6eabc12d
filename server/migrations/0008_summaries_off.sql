-- 07:00 was everybody's default, so a row that still says so does not tell what its user wants. Apart from the
-- change of the table, whose lock would keep every write waiting for as long as this takes.

update agendas set summary_at = null where summary_at = '07:00';
