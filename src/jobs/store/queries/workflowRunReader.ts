import {
  MAX_COUNTED_RUNS,
  MAX_COUNTED_TRANSITIONS,
  MAX_COUNTED_VISITS,
} from '../../../base/limits/countedRuns.ts';
import type { TakenTransition } from '../../../contract/schema/workflow/workflowRuns.ts';
import { isTime } from '../../../kernel/sqlite/broken/wholeNumbers.ts';
import type { Database } from '../../../kernel/sqlite/database.ts';

/** The newest runs of a workflow, by an index: however many jobs there are, no more are read. */
const RUNS = `SELECT job_id, state, created_at FROM job_list INDEXED BY job_list_workflow_runs
  WHERE workflow = ? AND ${isTime('created_at')} ORDER BY created_at DESC LIMIT ${MAX_COUNTED_RUNS}`;

/** What runs of a workflow did, from the rows that each job writes in the commits of its own steps. */
export class WorkflowRunReader {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** `since`: epoch ms; null = no run. */
  runs(workflow: string): { runs: number; failed: number; since: number | null } {
    const row = this.#db.get(
      `SELECT count(*) AS runs, total(state = 'failed') AS failed, min(created_at) AS since FROM (${RUNS})`,
      workflow,
    );
    return {
      runs: Number(row?.runs ?? 0),
      failed: Number(row?.failed ?? 0),
      since: typeof row?.since === 'number' ? row.since : null,
    };
  }

  /** Their transitions between phases of this workflow, the most frequent first. */
  transitions(workflow: string): TakenTransition[] {
    return this.#db
      .all(
        `SELECT t.from_phase, t.to_phase, t.cause, count(*) AS times, total(r.state = 'failed') AS failed
         FROM (${RUNS}) r CROSS JOIN phase_transitions t ON t.job_id = r.job_id
           AND t.visit > (SELECT max(visit) FROM phase_transitions n WHERE n.job_id = r.job_id) - ${MAX_COUNTED_VISITS}
         WHERE t.workflow = ? GROUP BY 1, 2, 3 ORDER BY times DESC, 1, 2, 3 LIMIT ${MAX_COUNTED_TRANSITIONS}`,
        workflow,
        workflow,
      )
      .map(({ from_phase, to_phase, cause, times, failed }) => ({
        from: String(from_phase),
        to: String(to_phase),
        cause: String(cause),
        times: Number(times),
        failed: Number(failed),
      }));
  }
}
