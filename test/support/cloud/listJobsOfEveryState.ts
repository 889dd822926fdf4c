import type { SqlValue } from '../../../src/kernel/sqlite/toSqlValue.ts';

interface Statement {
  text: string;
  values: SqlValue[];
}

interface StoredJob {
  id: string;
  statements: Statement[];
}

interface JobFacts {
  state: string;
  status: string;
  ask: string | null;
  parked?: object;
  failed?: number;
}

const parked = (kind: string) => ({ kind, reason: 'It waits.', since: '2026-11-29T00:00:00.000Z' });

/** States as a list stores them, with what a person is asked for. */
const FACTS: readonly JobFacts[] = [
  { state: 'queued', status: 'queued', ask: null },
  { state: 'working', status: 'coding', ask: null },
  { state: 'working', status: 'coding:2', ask: null },
  { state: 'waiting', status: 'coding', ask: null, parked: parked('quota') },
  { state: 'waiting', status: 'coding', ask: 'approval', parked: parked('approval') },
  { state: 'waiting', status: 'coding', ask: 'budget', parked: parked('budget') },
  { state: 'waiting', status: 'coding', ask: 'review', parked: parked('event') },
  { state: 'failed', status: 'failed', ask: 'failed' },
  { state: 'failed', status: 'escalated', ask: 'escalated' },
  { state: 'partial', status: 'complete', ask: null, failed: 1 },
  { state: 'partial', status: 'complete', ask: 'open-pr', failed: 1 },
  { state: 'complete', status: 'complete', ask: null },
  { state: 'complete', status: 'complete', ask: 'open-pr' },
  { state: 'cancelled', status: 'cancelled', ask: null },
];

/** Where a job is in the list: by itself, as a sub-run, or after a person has dismissed it. */
const PLACES = [
  { parent: null, dismissed: false, repo: 'shop', workflow: 'job.md', kind: 'job' },
  { parent: null, dismissed: true, repo: 'site', workflow: 'other.md', kind: 'review' },
  { parent: 'parent', dismissed: false, repo: 'shop', workflow: 'other.md', kind: 'job' },
  { parent: 'parent', dismissed: true, repo: null, workflow: 'job.md', kind: 'job' },
] as const;

/** Statements that store a job in every state, at every place, in the database of a runner. */
export const listJobsOfEveryState = (): StoredJob[] =>
  PLACES.flatMap((place, p) =>
    FACTS.map((facts, f) => {
      const id = `job-${p}-${f}`;
      const at = 1_700_000_000_000 + p * 100_000 + f * 1_000;
      const { parent, dismissed, repo, workflow, kind } = place;
      const { state, status, ask, failed = 0 } = facts;
      const wait = facts.parked === undefined ? null : JSON.stringify(facts.parked);
      const statements: Statement[] = [
        {
          text: `INSERT INTO job_list (job_id, parent, kind, status, state, ask, since, dismissed_at, repo, workflow, phase, title, created_at, text)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'coding', ?, ?, ?)`,
          values: [
            id,
            parent,
            kind,
            status,
            state,
            ask,
            at,
            dismissed ? at : null,
            repo,
            workflow,
            id,
            at,
            `${id}\n${repo ?? ''}`,
          ],
        },
        {
          text: 'INSERT INTO job_summaries VALUES (?, ?, ?, NULL, ?, 0)',
          values: [id, `Job ${id}`, wait, failed],
        },
        {
          text: `INSERT INTO actors (id, chart, version, snapshot, generation, seq, frame_seq, label, kind, slot, activity, created_at, updated_at, since)
            VALUES (?, 'job', 1, '{"context":{},"value":"x"}', 1, 1, 1, '', '', 0, 'parked', ?, ?, ?)`,
          values: [id, at, at, at],
        },
      ];
      // A sub-run that failed asks for a person until someone has decided about it.
      if (parent !== null)
        statements.push({
          text: `INSERT INTO sub_runs (parent, name, n, description, params, depends_on, job_id, attempt, status)
            VALUES (?, ?, ?, '', '{}', '[]', ?, 1, ?)`,
          values: [parent, id, f, id, state === 'failed' ? status : 'complete'],
        });
      return { id, statements };
    }),
  );
