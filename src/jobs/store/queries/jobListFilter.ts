import type { Tables } from '../../../contract/records/tables.ts';
import type { NeedsGroup } from '../../../contract/schema/job/jobNeeds.ts';
import { areCounts, buildJsonValueSql } from '../../../kernel/sqlite/broken/wholeNumbers.ts';
import type { SqlValue } from '../../../kernel/sqlite/toSqlValue.ts';

type ListRow = Tables['job_list'];

/** The stored state of a job, or that it needs a person. */
export type ListedStanding = ListRow['state'] | 'needs-you';

/** Which jobs; a missing member does not filter. */
export interface JobListFilter {
  ids?: readonly string[];
  /** Words that must all be in the searched text; folded like it. */
  words?: readonly string[];
  /** The whole status or the part before `:`. */
  status?: string;
  /** One of these. */
  is?: readonly ListedStanding[];
  /** One of these, whether or not the job needs a person. */
  states?: readonly ListRow['state'][];
  waitsFor?: readonly string[];
  /** Only jobs that have been in their state since this time or later, epoch ms. */
  since?: number;
  needs?: 'me' | NeedsGroup | 'snoozed';
  repo?: string;
  workflow?: string;
  kind?: string;
  parent?: string;
  /** Only jobs that coordinate sub-runs, or did. */
  coordinates?: boolean;
  onlySubRuns?: boolean;
  /** Leaves out sub-runs that need no one, except failed ones where `is` asks for failures. */
  onlyNeedingSubRuns?: boolean;
  /** Only jobs after row `after` up to row `last`: one slice of the list. */
  rows?: { after: number; last: number };
}

export const BROKEN = "('failed', 'escalated')";

/** Conditions on row `l` of the list: its ask belongs to this group. */
export const IN_GROUP: Readonly<Record<NeedsGroup, string>> = {
  decide: `l.ask NOT IN ('failed', 'escalated', 'review')`,
  review: `l.ask = 'review'`,
  broken: `l.ask IN ${BROKEN}`,
};

/**
 * Whether job `l` needs a person; the only definition. A complete job does if it left a pull
 * request open. A failed sub-run does if no one has decided about it (its latest run, not skipped,
 * the campaign not cancelled) and the dispatcher of its campaign does not ask already.
 */
export const NEEDS = `(l.state IN ('waiting', 'failed', 'partial', 'complete') AND l.ask IS NOT NULL AND l.dismissed_at IS NULL AND (
  l.parent IS NULL OR l.ask NOT IN ${BROKEN} OR (
    EXISTS (SELECT 1 FROM sub_runs s WHERE s.job_id = l.job_id AND s.parent = l.parent AND s.status IN ${BROKEN})
    AND NOT EXISTS (SELECT 1 FROM actors d WHERE d.id = l.parent || '.sub-runs' AND d.label = 'halted')
    AND NOT EXISTS (SELECT 1 FROM job_list p WHERE p.job_id = l.parent AND p.state = 'cancelled')
  )))`;

/** Whether a snooze, row `z`, is of what job `l` asks now. */
export const IS_SNOOZE = `z.job_id = l.job_id AND z.ask = l.ask AND z.since = l.since AND l.dismissed_at IS NOT NULL`;
const SNOOZED = `EXISTS (SELECT 1 FROM snoozes z WHERE ${IS_SNOOZE})`;

/** Whether job `l` is listed where sub-runs that need no one are left out. */
export const IS_LISTED = `(l.parent IS NULL OR ${NEEDS})`;

const toJobContainsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

const buildMarks = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

/** The filter as a condition on row `l` of the list, and its bound values. */
export function buildJobCondition(filter: JobListFilter): { where: string; values: SqlValue[] } {
  const terms: string[] = [];
  const values: SqlValue[] = [];
  const term = (sql: string, ...bound: SqlValue[]) => {
    terms.push(sql);
    values.push(...bound);
  };
  if (filter.rows) term('l.rowid > ? AND l.rowid <= ?', filter.rows.after, filter.rows.last);
  if (filter.ids) term(`l.job_id IN (${buildMarks(filter.ids)})`, ...filter.ids);
  if (filter.status?.includes(':')) term('l.status = ?', filter.status);
  else if (filter.status !== undefined) {
    // `;` follows `:` in ASCII.
    term(
      '(l.status = ? OR (l.status >= ? AND l.status < ?))',
      filter.status,
      `${filter.status}:`,
      `${filter.status};`,
    );
  }
  if (filter.is) {
    const states = filter.is.filter((standing) => standing !== 'needs-you');
    const either = [
      ...(filter.is.includes('needs-you') ? [NEEDS] : []),
      ...(states.length === 0
        ? []
        : [`(l.state IN (${buildMarks(states)}) AND (l.state = 'failed' OR NOT ${NEEDS}))`]),
    ];
    term(`(${either.length === 0 ? 'FALSE' : either.join(' OR ')})`, ...states);
  }
  if (filter.states) term(`l.state IN (${buildMarks(filter.states)})`, ...filter.states);
  if (filter.waitsFor)
    term(
      `l.state = 'waiting' AND EXISTS (SELECT 1 FROM job_summaries w WHERE w.job_id = l.job_id AND ${buildJsonValueSql('w.parked', '$.kind')} IN (${buildMarks(filter.waitsFor)}))`,
      ...filter.waitsFor,
    );
  if (filter.since !== undefined) term('l.since >= ?', filter.since);
  if (filter.needs === 'snoozed') term(`l.job_id IN (SELECT job_id FROM snoozes) AND ${SNOOZED}`);
  else if (filter.needs) {
    term(NEEDS);
    if (filter.needs !== 'me') term(IN_GROUP[filter.needs]);
  }
  if (filter.repo !== undefined) term('l.repo = ?', filter.repo);
  if (filter.workflow !== undefined) term('l.workflow = ?', filter.workflow);
  if (filter.kind !== undefined) term('l.kind = ?', filter.kind);
  if (filter.parent !== undefined) term('l.parent = ?', filter.parent);
  // Looked up by key for each record of the other table, which is small in comparison.
  if (filter.coordinates) term('l.job_id IN (SELECT job_id FROM campaigns)');
  if (filter.onlySubRuns) term('l.parent IS NOT NULL');
  if (filter.onlyNeedingSubRuns)
    term(filter.is?.includes('failed') ? `(${IS_LISTED} OR l.state = 'failed')` : IS_LISTED);
  // Last, since the text is at the end of the row.
  for (const word of filter.words ?? [])
    term(`l.text LIKE ? ESCAPE '\\'`, toJobContainsPattern(word));
  return { where: terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`, values };
}

/**
 * The source of the counts as columns of the list: the groups, and individually the few jobs for
 * which a group does not say whether they need a person ({@link NEEDS}).
 */
const GROUPED = `(
  SELECT NULL AS job_id, iif(sub_run, '', NULL) AS parent, kind, status, state, nullif(ask, '') AS ask,
    iif(dismissed, 1, NULL) AS dismissed_at, nullif(repo, '') AS repo, workflow, jobs
  FROM job_groups WHERE ${areCounts(['jobs'])} AND NOT (sub_run AND NOT dismissed AND ask IN ${BROKEN})
  UNION ALL
  SELECT job_id, parent, kind, status, state, ask, dismissed_at, repo, workflow, 1
  FROM job_list INDEXED BY job_list_failed_parts
  WHERE parent IS NOT NULL AND dismissed_at IS NULL AND ask IN ${BROKEN}
)`;

/** Whether the groups cover every member of the filter. */
export const isGrouped = ({ status, ...filter }: JobListFilter): boolean =>
  !status?.includes(':') &&
  filter.needs !== 'snoozed' &&
  (['ids', 'words', 'waitsFor', 'since', 'parent', 'coordinates', 'rows'] as const).every(
    (key) => filter[key] === undefined,
  );

/**
 * The list, or a slice of it by row numbers alone: an index would be scanned completely for each
 * slice.
 */
export const buildListSource = ({ rows }: JobListFilter): string =>
  `job_list l${rows ? ' NOT INDEXED' : ''}`;

/** The source of the filter's counts, and the count of one row of it. */
export const buildCountSource = (filter: JobListFilter): { from: string; tally: string } =>
  isGrouped(filter)
    ? { from: `${GROUPED} l`, tally: 'total(l.jobs)' }
    : { from: buildListSource(filter), tally: 'count(*)' };
