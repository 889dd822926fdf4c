/** Tables of a job's own rows: with one missing, it is not known what the job really is. */
const OWN_TABLES: ReadonlySet<string> = new Set(['actors', 'job_list', 'job_summaries']);

/** Whether one of the unreadable rows belongs to the job itself, and not only to its output. */
export const isJobUnreadable = (brokenRows: readonly { table: string }[] | undefined): boolean =>
  (brokenRows ?? []).some(({ table }) => OWN_TABLES.has(table));
