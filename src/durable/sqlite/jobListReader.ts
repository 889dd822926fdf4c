import type { Tables } from '../../records/tables.ts';
import type { Database, SqlValue } from './database.ts';

type ListRow = Tables['job_list'];
type SummaryRow = Tables['job_summaries'];

/** How a job is, for a person: as stored, or that it needs them. */
export type Standing = ListRow['state'] | 'needs-you';

/** Which jobs; what is left out narrows nothing. */
export interface JobListFilter {
  /** Only jobs with these ids. */
  ids?: readonly string[];
  /** Words that must all be in the searched text; folded, as it is. */
  words?: readonly string[];
  /** The whole status or the part of it before `:`. */
  status?: string;
  /** One of these. */
  is?: readonly Standing[];
  /** One of these, whether or not it needs a person. */
  states?: readonly ListRow['state'][];
  /** Only jobs that wait for one of these kinds of things. */
  waitsFor?: readonly string[];
  /** Only jobs that are so from this time on, epoch ms. */
  since?: number;
  needs?: 'me' | 'decide' | 'broken';
  repo?: string;
  workflow?: string;
  kind?: string;
  parent?: string;
  /** Only jobs that coordinate sub-runs, or did. */
  coordinates?: boolean;
  /** Leaves out sub-runs that need no one. */
  onlyNeedingSubRuns?: boolean;
}

/** What the list can be sorted by; `created` is the order of creation. */
export type JobOrder = 'created' | 'since' | 'title' | 'status' | 'repo' | 'workflow' | 'phase';

/** All that a list shows of a job; times are epoch ms. */
export interface ListedJob extends Omit<SummaryRow, 'job_id'> {
  id: string;
  kind: string;
  parent: string | null;
  status: string;
  state: ListRow['state'];
  phase: string;
  workflow: string;
  repo: string | null;
  createdAt: number;
  updatedAt: number;
  since: number;
  /** Null: it needs no one. */
  ask: ListRow['ask'];
  /** What it has cost, with the sub-runs below a job that is the topmost; null = nothing was used. */
  cost: { microUsd: number; unpriced: number; tokens: number } | null;
  /** How its newest rated phase was rated; null = none was. */
  rating: { goal: number; flagged: boolean } | null;
}

/** How many of the jobs are in which state; `decide` and `broken` make up `needs-you`. */
export interface JobCounts {
  total: number;
  decide: number;
  broken: number;
  standings: Record<Standing, number>;
}

/** Asks of jobs that have ended. */
const BROKEN = "('failed', 'escalated')";

/**
 * Whether the job `l` needs a person: the one definition. The failure of a sub-run is one that
 * no one has decided about (its latest run, not skipped, the campaign not cancelled), and for which
 * the dispatcher of its campaign does not ask already.
 */
const NEEDS = `(l.ask IS NOT NULL AND l.dismissed_at IS NULL AND (
  l.parent IS NULL OR l.ask NOT IN ${BROKEN} OR (
    EXISTS (SELECT 1 FROM sub_runs s WHERE s.job_id = l.job_id AND s.parent = l.parent AND s.status IN ${BROKEN})
    AND NOT EXISTS (SELECT 1 FROM actors d WHERE d.id = l.parent || '.sub-runs' AND d.label = 'halted')
    AND NOT EXISTS (SELECT 1 FROM job_list p WHERE p.job_id = l.parent AND p.state = 'cancelled')
  )))`;

/** Rows of the list, without a condition. */
const LISTED = `SELECT l.job_id, l.kind, l.parent, l.status, l.state, l.phase, l.workflow, l.repo, l.created_at, l.since,
    CASE WHEN ${NEEDS} THEN l.ask END AS ask, a.updated_at, s.description, s.parked, s.escalation, s.failed, s.escalated,
    u.micro_usd, u.unpriced_calls, u.tokens,
    (SELECT json_array(d.goal, d.flag IS NOT NULL) FROM decisions d INDEXED BY decisions_rated
       WHERE d.job_id = l.job_id AND d.goal IS NOT NULL ORDER BY d.at DESC LIMIT 1) AS rated
  FROM job_list l JOIN actors a ON a.id = l.job_id JOIN job_summaries s ON s.job_id = l.job_id
    LEFT JOIN usage_sums u ON u.scope = iif(l.parent IS NULL, 'campaign', 'job') AND u.key = l.job_id AND u.window = ''`;

const ORDERS: Readonly<Record<JobOrder, string>> = {
  created: 'l.created_at',
  since: 'l.since',
  title: 'l.title',
  status: 'l.status',
  repo: 'l.repo',
  workflow: 'l.workflow',
  phase: 'l.phase',
};

const STATES = [
  'queued',
  'working',
  'waiting',
  'failed',
  'partial',
  'complete',
  'cancelled',
] as const satisfies readonly ListRow['state'][];

/** The text as a pattern that contains it, wherever it is. */
const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

function conditionOf(filter: JobListFilter): { where: string; values: SqlValue[] } {
  const terms: string[] = [];
  const values: SqlValue[] = [];
  const term = (sql: string, ...bound: SqlValue[]) => {
    terms.push(sql);
    values.push(...bound);
  };
  if (filter.ids) term(`l.job_id IN (${marks(filter.ids)})`, ...filter.ids);
  if (filter.status !== undefined) {
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
      ...(states.length === 0 ? [] : [`(l.state IN (${marks(states)}) AND NOT ${NEEDS})`]),
    ];
    term(`(${either.length === 0 ? 'FALSE' : either.join(' OR ')})`, ...states);
  }
  if (filter.states) term(`l.state IN (${marks(filter.states)})`, ...filter.states);
  if (filter.waitsFor)
    term(
      `EXISTS (SELECT 1 FROM job_summaries w WHERE w.job_id = l.job_id AND w.parked ->> '$.kind' IN (${marks(filter.waitsFor)}))`,
      ...filter.waitsFor,
    );
  if (filter.since !== undefined) term('l.since >= ?', filter.since);
  if (filter.needs) {
    term(NEEDS);
    if (filter.needs === 'decide') term(`l.ask NOT IN ${BROKEN}`);
    if (filter.needs === 'broken') term(`l.ask IN ${BROKEN}`);
  }
  if (filter.repo !== undefined) term('l.repo = ?', filter.repo);
  if (filter.workflow !== undefined) term('l.workflow = ?', filter.workflow);
  if (filter.kind !== undefined) term('l.kind = ?', filter.kind);
  if (filter.parent !== undefined) term('l.parent = ?', filter.parent);
  // By its key for each record of the other table, which is small beside this one.
  if (filter.coordinates) term('l.job_id IN (SELECT job_id FROM campaigns)');
  if (filter.onlyNeedingSubRuns) term(`(l.parent IS NULL OR ${NEEDS})`);
  // Last: the text is at the end of the row.
  for (const word of filter.words ?? []) term(`l.text LIKE ? ESCAPE '\\'`, containing(word));
  return { where: terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`, values };
}

/** The list of jobs: pages of it, and how many there are of what. */
export class JobListReader {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** A page; jobs with equal values of `by` are sorted by their creation, the newest first. */
  page(
    filter: JobListFilter,
    order: { by: JobOrder; desc: boolean },
    { limit, offset }: { limit: number; offset: number },
  ): ListedJob[] {
    const { where, values } = conditionOf(filter);
    const direction = order.desc ? 'DESC' : 'ASC';
    const sorted = `ORDER BY ${ORDERS[order.by]} ${direction}, l.rowid ${order.by === 'created' ? direction : 'DESC'}`;
    // Only keys are sorted, which an index has: whole rows would fill the sorter.
    const keys = `SELECT l.rowid FROM job_list l ${where} ${sorted} LIMIT ? OFFSET ?`;
    return this.#db
      .all(`${LISTED} WHERE l.rowid IN (${keys}) ${sorted}`, ...values, limit, offset)
      .map(listedJob);
  }

  /** One job; undefined where none has this id. */
  one(id: string): ListedJob | undefined {
    const row = this.#db.get(`${LISTED} WHERE l.job_id = ?`, id);
    return row && listedJob(row);
  }

  total(filter: JobListFilter): number {
    const { where, values } = conditionOf(filter);
    return Number(this.#db.get(`SELECT count(*) AS n FROM job_list l ${where}`, ...values)?.n);
  }

  /** How many jobs are in which state and wait for what, and since when the first of them is so. */
  groups(): { state: string; waitsFor: string; count: number; oldestSince: number }[] {
    return this.#db
      .all(
        'SELECT state, ask, count(*) AS n, min(since) AS oldest FROM job_list GROUP BY state, ask',
      )
      .map(({ state, ask, n, oldest }) => ({
        state: String(state),
        waitsFor: state === 'waiting' ? String(ask ?? 'other') : '',
        count: Number(n),
        oldestSince: Number(oldest),
      }));
  }

  counts(filter: JobListFilter): JobCounts {
    const { where, values } = conditionOf(filter);
    // All in one pass: a search reads every text.
    const states = STATES.map(
      (state) => `count(*) FILTER (WHERE l.state = '${state}' AND NOT ${NEEDS}) AS ${state}`,
    );
    const row =
      this.#db.get(
        `SELECT count(*) AS total, count(*) FILTER (WHERE ${NEEDS} AND l.ask IN ${BROKEN}) AS broken,
           count(*) FILTER (WHERE ${NEEDS} AND l.ask NOT IN ${BROKEN}) AS decide, ${states.join(', ')}
         FROM job_list l ${where}`,
        ...values,
      ) ?? {};
    const standings = Object.fromEntries(STATES.map((state) => [state, Number(row[state])]));
    const [decide, broken] = [Number(row.decide), Number(row.broken)];
    return {
      total: Number(row.total),
      decide,
      broken,
      standings: { 'needs-you': decide + broken, ...standings } as Record<Standing, number>,
    };
  }

  /** The repositories and workflows of all jobs, at most `limit` of each, by name. */
  choices(limit: number): { repos: string[]; workflows: string[] } {
    // From one value to the next by the index: there are few values and many jobs.
    const distinct = (column: 'repo' | 'workflow') =>
      this.#db
        .all(
          `WITH RECURSIVE d (v) AS (SELECT min(${column}) FROM job_list UNION ALL
             SELECT (SELECT min(${column}) FROM job_list WHERE ${column} > d.v) FROM d WHERE d.v IS NOT NULL)
           SELECT v FROM d WHERE v IS NOT NULL LIMIT ?`,
          limit,
        )
        .map(({ v }) => String(v));
    return { repos: distinct('repo'), workflows: distinct('workflow') };
  }
}

const textOrNull = (value: unknown): string | null => (value === null ? null : String(value));

/** From the goal, and 1 where the phase is flagged. */
function ratingIn(text: unknown): ListedJob['rating'] {
  if (text === null) return null;
  const [goal, flagged] = JSON.parse(String(text)) as [number, number];
  return { goal, flagged: flagged === 1 };
}

const listedJob = (row: Record<string, unknown>): ListedJob => ({
  id: String(row.job_id),
  kind: String(row.kind),
  parent: textOrNull(row.parent),
  status: String(row.status),
  state: row.state as ListRow['state'],
  phase: String(row.phase),
  workflow: String(row.workflow),
  repo: textOrNull(row.repo),
  createdAt: Number(row.created_at),
  updatedAt: Number(row.updated_at),
  since: Number(row.since),
  ask: row.ask as ListRow['ask'],
  description: String(row.description),
  parked: textOrNull(row.parked),
  escalation: textOrNull(row.escalation),
  failed: Number(row.failed),
  escalated: Number(row.escalated),
  cost:
    row.tokens === null
      ? null
      : {
          microUsd: Number(row.micro_usd),
          unpriced: Number(row.unpriced_calls),
          tokens: Number(row.tokens),
        },
  rating: ratingIn(row.rated),
});
