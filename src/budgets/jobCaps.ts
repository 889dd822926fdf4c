import type { JobContext } from '../../machines/index.ts';
import type { Caps } from '../domain/budgetScopes.ts';
import type { RowChange } from '../records/changes.ts';
import type { Tables } from '../records/tables.ts';
import type { TypedRows } from '../records/typedRows.ts';
import { type CapRow, capRowsOf, withChanged } from './capRow.ts';
import { type Cap, capsOf, tightest } from './capsOf.ts';
import { campaignCaps, type JobFacts } from './jobFacts.ts';

export interface JobCapsDeps {
  rows: Pick<TypedRows<Tables>, 'all'>;
  settings: { budgets: { caps: Caps; headlessFactor: number } };
  /** A job's context; undefined for one that does not exist. */
  contextOf(jobId: string): JobContext | undefined;
}

/** The caps of jobs, by their layers and by people. */
export class JobCaps {
  readonly #deps: JobCapsDeps;
  /** Of people, on their way into the store. */
  #changing: readonly CapRow[] = [];

  constructor(deps: JobCapsDeps) {
    this.#deps = deps;
  }

  /** Those of a job's layers; the caps of a campaign are those of the job at its top too. */
  of(facts: JobFacts): { caps: Cap[]; personal: CapRow[] } {
    const { caps: config, headlessFactor } = this.#deps.settings.budgets;
    const { interactive, workflow, params, id, root } = facts;
    const caps = capsOf({ config, headlessFactor, interactive, workflow, params });
    const top = root === id ? undefined : this.#deps.contextOf(root);
    if (top) {
      const [ofWorkflow, ofParams] = campaignCaps(top);
      const layers = { config: {}, headlessFactor: 1, interactive };
      caps.push(...capsOf({ ...layers, workflow: ofWorkflow, params: ofParams }));
    }
    return { caps: tightest(caps), personal: this.personal() };
  }

  /** Those of the configuration. */
  configured(): Cap[] {
    const { caps: config } = this.#deps.settings.budgets;
    return capsOf({ config, headlessFactor: 1, interactive: true });
  }

  /** What people have set and raised. */
  personal(): CapRow[] {
    return withChanged(this.#deps.rows.all('budget_caps'), this.#changing);
  }

  /**
   * Counts changes of caps as made while `write` commits them: jobs that they let go get their slots
   * in the same commit, which the store does not know yet.
   */
  async changing<T>(changes: readonly RowChange[], write: () => Promise<T>): Promise<T> {
    const rows = capRowsOf(changes);
    this.#changing = withChanged(this.#changing, rows);
    try {
      return await write();
    } finally {
      this.#changing = this.#changing.filter((row) => !rows.includes(row));
    }
  }
}
