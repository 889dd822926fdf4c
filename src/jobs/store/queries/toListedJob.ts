import { toColumnTextOrNull } from './toColumnTextOrNull.ts';
import { JOB_CHART } from '../../../base/jobs/durableCharts.ts';
import type { EndedPrs } from '../../../base/jobs/describeEndedPrs.ts';
import type { Tables } from '../../../contract/records/tables.ts';
import type { BrokenRow } from '../../../contract/schema/job/brokenRow.ts';
import type { BrokenRows } from '../../../kernel/sqlite/broken/brokenRows.ts';
import { createActorCheck } from '../../../kernel/sqlite/broken/createActorCheck.ts';
import { toBrokenRow, formatRowProblems } from '../../../kernel/sqlite/broken/rowGuard.ts';
import { JOB_ROW_GUARD } from '../jobRowGuard.ts';

type ListRow = Tables['job_list'];
type SummaryRow = Tables['job_summaries'];

/** Everything that a list shows of a job; times are epoch ms. */
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
  /** null = it needs no one. */
  ask: ListRow['ask'];
  /** What of it was put off, and until when (epoch ms); null = nothing. */
  snooze: { ask: NonNullable<ListRow['ask']>; until: number } | null;
  /** The member of the team who asked for it; null = no name is known. */
  creator: string | null;
  /** The names in its parameter `reviewers`. */
  reviewers: readonly string[];
  /** Its cost, with the sub-runs if it is a topmost job; null = nothing was used. */
  cost: { microUsd: number; unpriced: number; tokens: number; unreported: number } | null;
  /** The rating of its newest rated phase; null = none. */
  rating: { goal: number; flagged: boolean } | null;
  /** The state of its pull requests; null until it has ended or waits for a review. */
  prs: EndedPrs | null;
  /**
   * How many artefacts a complete job on a repository has posted that opened no pull request and
   * has no sub-runs; null for every other job.
   */
  unchangedArtefacts: number | null;
  /** Its unreadable rows, whose content is left out. Usually empty. */
  broken: readonly BrokenRow[];
}

/** From the goal, and 1 if the phase is flagged. Null if it is not a number. */
function parseListedRating(text: unknown): ListedJob['rating'] {
  if (text === null) return null;
  const [goal, flagged] = JSON.parse(String(text)) as [unknown, number];
  return typeof goal === 'number' && Number.isFinite(goal)
    ? { goal, flagged: flagged === 1 }
    : null;
}

function parsePrStates(text: unknown): ListedJob['prs'] {
  if (text === null) return null;
  const all = JSON.parse(String(text)) as [string, string][];
  const countState = (state: string): number => all.filter(([, is]) => is === state).length;
  return {
    openPrs: all.filter(([, is]) => is === 'open').map(([id]) => id),
    mergedPrs: countState('merged'),
    closedPrs: countState('closed'),
  };
}

type Row = Readonly<Record<string, unknown>>;

/** Most names of reviewers that a list shows of a job. */
const MOST_REVIEWERS = 20;

/** From JSON, which a person has written. */
function parseReviewers(text: unknown): string[] {
  if (typeof text !== 'string') return [];
  const names: unknown = JSON.parse(text);
  if (!Array.isArray(names)) return [];
  return names.filter((name): name is string => typeof name === 'string').slice(0, MOST_REVIEWERS);
}

/** One that cannot be read counts as none: its job stays put off until a person ends that. */
function parseSnooze(
  id: string,
  { snoozed_ask: ask, snoozed_until: until, since }: Row,
): ListedJob['snooze'] {
  const own = { job_id: id, ask, since, until };
  return ask == null || JOB_ROW_GUARD.findRowProblems('snoozes', own).length > 0
    ? null
    : { ask: ask as NonNullable<ListRow['ask']>, until: Number(until) };
}

const LIST_COLUMNS = [
  'kind',
  'parent',
  'status',
  'state',
  'phase',
  'workflow',
  'repo',
  'created_at',
  'since',
  'ask',
  'dismissed_at',
  'title',
  // The searched text is not read, only its type.
  'text',
];
const SUMMARY_COLUMNS = ['description', 'parked', 'escalation', 'failed', 'escalated'];
const SUM_COLUMNS = ['micro_usd', 'unpriced_calls', 'tokens'];

/** Replacements for unreadable values in a list. */
const INSTEAD: Row = {
  state: 'waiting',
  ask: null,
  created_at: 0,
  since: 0,
  description: '',
  parked: null,
  escalation: null,
  failed: 0,
  escalated: 0,
  tokens: null,
};

/** The readable columns, the others replaced as in `INSTEAD`, and the reason. */
function readColumns(table: string, id: string, row: Row, columns: readonly string[]) {
  const own = Object.fromEntries(columns.map((name) => [name, row[name]]));
  const problems = JOB_ROW_GUARD.findRowProblems(table, own);
  for (const { column } of problems) own[column] = INSTEAD[column];
  return { own, broken: problems.length === 0 ? [] : [toBrokenRow(table, id, problems)] };
}

/** Columns of a job's actor, without its large snapshot. */
export const ACTOR_COLUMNS = [
  'id',
  'chart',
  'version',
  'generation',
  'seq',
  'frame_seq',
  'label',
  'kind',
  'parent',
  'slot',
  'waiting_since',
  'activity',
  'created_at',
  'updated_at',
  'since',
] as const;

/** Their names in a row of the list, where other columns have the same names. */
export const toActorColumn = (name: (typeof ACTOR_COLUMNS)[number]): string => `actor_${name}`;

const checkActor = createActorCheck([JOB_CHART]);

/** Why the actor of a job cannot be read; null = no known reason. */
function explainActorProblem(id: string, row: Row, brokenRows: BrokenRows): string | null {
  if (row[toActorColumn('id')] === null) return 'the row is missing';
  const own = Object.fromEntries(ACTOR_COLUMNS.map((name) => [name, row[toActorColumn(name)]]));
  const problems = checkActor(own);
  if (problems.length > 0) return formatRowProblems(problems);
  return row.is_whole === 1
    ? brokenRows.findReason('actors', id)
    : 'snapshot is not a state of a job';
}

/** A job with unreadable rows is still listed, and names them. */
export function toListedJob(row: Row, brokenRows: BrokenRows): ListedJob {
  const id = String(row.job_id);
  const list = readColumns('job_list', id, row, LIST_COLUMNS);
  const summary = readColumns('job_summaries', id, row, SUMMARY_COLUMNS);
  const sums =
    row.tokens === null
      ? { own: row, broken: [] }
      : readColumns(
          'usage_sums',
          `${row.parent === null ? 'campaign' : 'job'}/${id}/`,
          row,
          SUM_COLUMNS,
        );
  const isUnread = sums.broken.length > 0;
  const allBroken = [...list.broken, ...summary.broken, ...sums.broken];
  const why = explainActorProblem(id, row, brokenRows);
  if (why !== null) allBroken.push({ table: 'actors', id, reason: why });
  for (const one of allBroken) brokenRows.add(one);
  const { own } = list;
  const updatedAt = row[toActorColumn('updated_at')];
  return {
    id,
    kind: String(own.kind),
    parent: toColumnTextOrNull(own.parent),
    status: String(own.status),
    state: own.state as ListRow['state'],
    phase: String(own.phase),
    workflow: String(own.workflow),
    repo: toColumnTextOrNull(own.repo),
    createdAt: Number(own.created_at),
    updatedAt:
      JOB_ROW_GUARD.findRowProblems('actors', { updated_at: updatedAt }).length > 0
        ? Number(own.created_at)
        : Number(updatedAt),
    since: Number(own.since),
    ask: own.ask as ListRow['ask'],
    snooze: parseSnooze(id, row),
    creator: toColumnTextOrNull(row.creator),
    reviewers: parseReviewers(row.reviewers),
    description: String(summary.own.description),
    parked: toColumnTextOrNull(summary.own.parked),
    escalation: toColumnTextOrNull(summary.own.escalation),
    failed: Number(summary.own.failed),
    escalated: Number(summary.own.escalated),
    cost:
      row.tokens === null || isUnread
        ? null
        : {
            microUsd: Number(row.micro_usd),
            unpriced: Number(row.unpriced_calls),
            tokens: Number(row.tokens),
            unreported: Number(row.unreported),
          },
    rating: parseListedRating(row.rated),
    prs: parsePrStates(row.prs),
    unchangedArtefacts: row.unchanged_artefacts === null ? null : Number(row.unchanged_artefacts),
    broken: allBroken,
  };
}
