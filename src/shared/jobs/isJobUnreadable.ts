/** Tables without whose row a job is not known to be what it seems. */
const OWN_TABLES: ReadonlySet<string> = new Set(['actors', 'job_list', 'job_summaries']);

/** Whether a row of the job itself is among those that cannot be read, and not only one of what it has put out. */
export const isJobUnreadable = (broken: readonly { table: string }[] | undefined): boolean =>
  (broken ?? []).some(({ table }) => OWN_TABLES.has(table));
