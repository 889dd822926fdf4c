import type { FailureCounts } from '../../../base/jobs/describeFailures.ts';
import type { Tables } from '../../../contract/records/tables.ts';
import type { NeedsGroup } from '../../../contract/schema/job/jobNeeds.ts';
import { MAX_STORED_SUM } from '../migrations/boundedSumsMigration.ts';
import type { BrokenRows } from '../../../kernel/sqlite/broken/brokenRows.ts';
import { createBrokenRows } from '../jobRowGuard.ts';
import { areCounts, isTime } from '../../../kernel/sqlite/broken/wholeNumbers.ts';
import { UNREPORTED_SESSIONS } from './costTables.ts';
import type { Database } from '../../../kernel/sqlite/database.ts';
import { COST, type Order, buildJobOrderClause } from './jobOrder.ts';
import { ACTOR_COLUMNS, toActorColumn, type ListedJob, toListedJob } from './toListedJob.ts';
import {
  buildJobCondition,
  buildCountSource,
  IN_GROUP,
  IS_LISTED,
  IS_SNOOZE,
  isGrouped,
  type JobListFilter,
  buildListSource,
  NEEDS,
  type ListedStanding,
} from './jobListFilter.ts';

type ListRow = Tables['job_list'];

export interface Page {
  limit: number;
  offset: number;
}

/**
 * How many jobs are in which state; the groups together are `needs-you`. Those of `broken` are also
 * in `failed`.
 */
export interface JobCounts {
  total: number;
  needs: Record<NeedsGroup, number>;
  standings: Record<ListedStanding, number>;
  failures: FailureCounts;
}

/** A row of the list with its cost as the sort value. */
export interface PricedRow {
  row: number;
  /** null = nothing was used. */
  microUsd: number | null;
  createdAt: number;
}

/**
 * Sessions without a token report, of the job or of its campaign; rows without a session do not
 * count.
 */
const buildUnreportedCount = (column: string): string =>
  `(SELECT min(${MAX_STORED_SUM}, total(${UNREPORTED_SESSIONS})) FROM usage_hours h WHERE ${column} = l.job_id)`;

/**
 * Rows of the list, without a condition. Rows with bytes are left out, since JSON cannot hold
 * bytes.
 */
const LISTED = `SELECT l.job_id, l.kind, l.parent, l.status, l.state, l.phase, l.workflow, l.repo, l.created_at, l.since,
    l.dismissed_at, l.title, CASE typeof(l.text) WHEN 'text' THEN '' ELSE l.text END AS text,
    CASE WHEN ${NEEDS} THEN l.ask END AS ask, s.description,
    ${ACTOR_COLUMNS.map((name) => `a.${name} AS ${toActorColumn(name)}`).join(', ')},
    CASE WHEN l.state = 'waiting' THEN s.parked END AS parked, s.escalation, s.failed, s.escalated,
    (SELECT p.person FROM job_creators p WHERE p.job_id = l.job_id) AS creator,
    CASE WHEN json_valid(a.snapshot) THEN a.snapshot -> '$.context.params.reviewers' END AS reviewers,
    u.micro_usd, u.unpriced_calls, u.tokens, z.ask AS snoozed_ask, z.until AS snoozed_until,
    CASE WHEN u.unpriced_calls = 0 THEN 0 WHEN l.parent IS NULL THEN ${buildUnreportedCount('h.root')} ELSE ${buildUnreportedCount('h.subject')} END AS unreported,
    CASE WHEN json_valid(a.snapshot) THEN json_type(a.snapshot, '$.context') = 'object' AND json_type(a.snapshot, '$.value') IN ('text', 'object') END AS is_whole,
    CASE WHEN l.state IN ('failed', 'partial', 'complete', 'cancelled') OR l.ask = 'review' THEN
      (SELECT json_group_array(json_array(m.pr_id, m.state)) FROM pr_mappings m WHERE m.job_id = l.job_id AND typeof(m.pr_id) = 'text' AND typeof(m.state) = 'text') END AS prs,
    CASE WHEN l.state = 'complete' AND l.repo IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM pr_mappings m WHERE m.job_id = l.job_id)
      AND NOT EXISTS (SELECT 1 FROM sub_runs r WHERE r.parent = l.job_id) THEN
      (SELECT count(*) FROM artefacts f WHERE f.job_id = l.job_id) END AS unchanged_artefacts,
    (SELECT json_array(d.goal, d.flag IS NOT NULL) FROM decisions d INDEXED BY decisions_rated
       WHERE d.job_id = l.job_id AND d.goal IS NOT NULL AND typeof(d.goal) IN ('real', 'integer') ORDER BY d.at DESC LIMIT 1) AS rated
  FROM job_list l LEFT JOIN snoozes z ON ${IS_SNOOZE} LEFT JOIN actors a ON a.id = l.job_id LEFT JOIN job_summaries s ON s.job_id = l.job_id
    LEFT JOIN usage_sums u ON u.scope = iif(l.parent IS NULL, 'campaign', 'job') AND u.key = l.job_id AND u.window = ''`;

const STATES = [
  'queued',
  'working',
  'waiting',
  'failed',
  'partial',
  'complete',
  'cancelled',
] as const satisfies readonly ListRow['state'][];

const GROUPS = ['decide', 'review', 'broken'] as const satisfies readonly NeedsGroup[];

/** Groups with a readable count and an existing state. */
const READABLE_GROUP = `${areCounts(['g.jobs'])} AND g.state IN (${STATES.map((state) => `'${state}'`).join(', ')})`;

/** For this few jobs, sorting is as quick as walking along an index. */
const FEW_JOBS = 1_000;

export class JobListReader {
  readonly #db: Database;
  readonly #broken: BrokenRows;

  constructor(db: Database, brokenRows = createBrokenRows()) {
    this.#db = db;
    this.#broken = brokenRows;
  }

  /**
   * A page. Jobs with equal values of `by` are sorted by creation: ascending order has the newest
   * first, descending order is the reverse.
   */
  page(filter: JobListFilter, order: Order, { limit, offset }: Page): ListedJob[] {
    const { where, values } = buildJobCondition(filter);
    const sorted = buildJobOrderClause(order);
    // Sorts only keys, which are in an index: whole rows would fill the sorter.
    const keys =
      order.by !== 'cost' && this.#isWalked(filter, limit)
        ? `SELECT l.rowid FROM job_list l INDEXED BY job_list_${order.by} ${where} ${sorted} LIMIT ? OFFSET ?`
        : // The sign keeps it from walking along the index of the order.
          `SELECT l.rowid FROM job_list l ${where} ${sorted.replace('BY ', 'BY +')} LIMIT ? OFFSET ?`;
    return this.#db
      .all(`${LISTED} WHERE l.rowid IN (${keys}) ${sorted}`, ...values, limit, offset)
      .map((row) => toListedJob(row, this.#broken));
  }

  /** The row of the newest job; 0 = the list is empty. */
  readLastRow(): number {
    return Number(this.#db.get('SELECT coalesce(max(rowid), 0) AS n FROM job_list')?.n);
  }

  /** The rows of the jobs; there may be a million. */
  rows(filter: JobListFilter): number[] {
    const { where, values } = buildJobCondition(filter);
    const sql = `SELECT json_group_array(l.rowid) AS found FROM ${buildListSource(filter)} ${where}`;
    return JSON.parse(String(this.#db.get(sql, ...values)?.found)) as number[];
  }

  readRowsPage(rows: readonly number[], order: Order, { limit, offset }: Page): ListedJob[] {
    const sorted = buildJobOrderClause(order);
    const keys = `SELECT l.rowid FROM json_each(?) j CROSS JOIN job_list l ON l.rowid = j.value ${sorted} LIMIT ? OFFSET ?`;
    return this.#db
      .all(`${LISTED} WHERE l.rowid IN (${keys}) ${sorted}`, JSON.stringify(rows), limit, offset)
      .map((row) => toListedJob(row, this.#broken));
  }

  /** The first jobs by cost; the number of jobs read is not limited. */
  rowsByCost(filter: JobListFilter, desc: boolean, most: number): PricedRow[] {
    const { where, values } = buildJobCondition(filter);
    const sql = `SELECT l.rowid AS id, ${COST} AS cost, l.created_at AS created FROM ${buildListSource(filter)} ${where} ${buildJobOrderClause({ by: 'cost', desc })} LIMIT ?`;
    return this.#db.all(sql, ...values, most).map(({ id, cost, created }) => ({
      row: Number(id),
      microUsd: cost === null ? null : Number(cost),
      createdAt: Number(created),
    }));
  }

  /** The cost of the topmost jobs with their sub-runs; null = nothing was used. */
  sumCost(filter: JobListFilter): ListedJob['cost'] {
    const { where, values } = buildJobCondition(filter);
    const topmost = where === '' ? 'WHERE l.parent IS NULL' : `${where} AND l.parent IS NULL`;
    const row = this.#db.get(
      `SELECT count(*) AS jobs, total(u.micro_usd) AS micro_usd, total(u.unpriced_calls) AS unpriced, total(u.tokens) AS tokens,
         total(CASE WHEN u.unpriced_calls = 0 THEN 0 ELSE ${buildUnreportedCount('h.root')} END) AS unreported
       FROM ${buildListSource(filter)} CROSS JOIN usage_sums u ON u.scope = 'campaign' AND u.key = l.job_id AND u.window = '' ${topmost}`,
      ...values,
    );
    return row === undefined || Number(row.jobs) === 0
      ? null
      : {
          microUsd: Number(row.micro_usd),
          unpriced: Number(row.unpriced),
          tokens: Number(row.tokens),
          unreported: Number(row.unreported),
        };
  }

  /** In the order of the rows. */
  readIds(rows: readonly number[]): string[] {
    return this.#db
      .all(
        'SELECT l.job_id FROM json_each(?) j CROSS JOIN job_list l ON l.rowid = j.value ORDER BY j.key',
        JSON.stringify(rows),
      )
      .map((row) => String(row.job_id));
  }

  /** undefined = no job has this id. */
  findJob(id: string): ListedJob | undefined {
    const row = this.#db.get(`${LISTED} WHERE l.job_id = ?`, id);
    return row && toListedJob(row, this.#broken);
  }

  total(filter: JobListFilter): number {
    const { where, values } = buildJobCondition(filter);
    const { from, tally } = buildCountSource(filter);
    return Number(this.#db.get(`SELECT ${tally} AS n FROM ${from} ${where}`, ...values)?.n);
  }

  /**
   * Whether to find a page by walking along its order until it is full, which is quick if many jobs
   * match, instead of finding and sorting all matches.
   */
  #isWalked(filter: JobListFilter, limit: number): boolean {
    // Texts have no index.
    if (filter.words) return true;
    const { status, ...others } = filter;
    // An exact status is counted by its index.
    if (filter.ids || filter.parent !== undefined || !isGrouped(others)) return false;
    const matching = this.total(filter);
    return matching > FEW_JOBS && matching * matching > limit * this.total({});
  }

  /** How many jobs are in which state and wait for what, and since when the first of them does. */
  groups(): { state: string; waitsFor: string; count: number; oldestSince: number }[] {
    return this.#db
      .all(
        `SELECT g.state, nullif(g.ask, '') AS ask, sum(g.jobs) AS n,
           (SELECT min(l.since) FROM job_list l WHERE l.state = g.state AND l.ask IS nullif(g.ask, '') AND ${isTime('l.since')}) AS oldest
         FROM job_groups g WHERE ${READABLE_GROUP} GROUP BY g.state, g.ask`,
      )
      .map(({ state, ask, n, oldest }) => ({
        state: String(state),
        waitsFor: state === 'waiting' ? String(ask ?? 'other') : '',
        count: Number(n),
        oldestSince: Number(oldest),
      }));
  }

  /** How many jobs are working or queued, parked, and ended. */
  activities(): { live: number; parked: number; ended: number } {
    const counts = { live: 0, parked: 0, ended: 0 };
    for (const { activity, n } of this.#db.all(
      `SELECT CASE WHEN state IN ('queued', 'working') THEN 'live' WHEN state = 'waiting' THEN 'parked' ELSE 'ended' END AS activity,
         sum(jobs) AS n FROM job_groups g WHERE ${READABLE_GROUP} GROUP BY 1`,
    ))
      counts[activity as keyof typeof counts] = Number(n);
    return counts;
  }

  counts({ onlyNeedingSubRuns = false, ...filter }: JobListFilter): JobCounts {
    const { where, values } = buildJobCondition(filter);
    const { from, tally } = buildCountSource(filter);
    const isListed = onlyNeedingSubRuns ? IS_LISTED : 'TRUE';
    // In one pass, since a search reads every text.
    const states = STATES.map((state) =>
      state === 'failed'
        ? `${tally} FILTER (WHERE l.state = 'failed') AS failed`
        : `${tally} FILTER (WHERE l.state = '${state}' AND NOT ${NEEDS} AND ${isListed}) AS ${state}`,
    );
    const groups = GROUPS.map(
      (group) => `${tally} FILTER (WHERE ${NEEDS} AND ${IN_GROUP[group]}) AS ${group}`,
    );
    const failures = [
      `${tally} FILTER (WHERE l.state = 'failed' AND l.parent IS NOT NULL) AS sub_runs`,
      `${tally} FILTER (WHERE l.state = 'failed' AND l.ask = 'escalated') AS escalated`,
    ];
    const row =
      this.#db.get(
        `SELECT ${tally} FILTER (WHERE ${isListed}) AS total, ${[...groups, ...states, ...failures].join(', ')}
         FROM ${from} ${where}`,
        ...values,
      ) ?? {};
    const standings = Object.fromEntries(STATES.map((state) => [state, Number(row[state])]));
    const needs = {
      decide: Number(row.decide),
      review: Number(row.review),
      broken: Number(row.broken),
    };
    const all = needs.decide + needs.review + needs.broken;
    return {
      total: Number(row.total),
      needs,
      standings: { 'needs-you': all, ...standings } as Record<ListedStanding, number>,
      failures: {
        failed: Number(row.failed),
        subRuns: Number(row.sub_runs),
        escalated: Number(row.escalated),
      },
    };
  }

  /** Repositories and workflows of all jobs, at most `limit` each, by name. */
  choices(limit: number): { repos: string[]; workflows: string[] } {
    // Jumps from value to value in the index: there are few values and many jobs.
    const distinct = (column: 'repo' | 'workflow') =>
      this.#db
        .all(
          // Only texts, which SQLite sorts after NULL, where min() would end at once, and before
          // bytes.
          `WITH RECURSIVE d (v) AS (SELECT min(${column}) FROM job_list WHERE ${column} >= '' AND ${column} < x'' UNION ALL
             SELECT (SELECT min(${column}) FROM job_list WHERE ${column} > d.v AND ${column} < x'') FROM d WHERE d.v IS NOT NULL)
           SELECT v FROM d WHERE v IS NOT NULL LIMIT ?`,
          limit,
        )
        .map(({ v }) => String(v));
    return { repos: distinct('repo'), workflows: distinct('workflow') };
  }
}
