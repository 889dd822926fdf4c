import type { JobContext } from '../../../machines/index.ts';
import type { Caps } from '../../shared/spending/budgetScopes.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';
import { type CapRow, pickCapRows, replaceChangedCaps } from './capRow.ts';
import { type Cap, resolveCaps, pickTightestCaps } from './resolveCaps.ts';
import { readCampaignCaps, type JobFacts } from './readJobFacts.ts';

/** What a person has set and cannot be read any more lets nothing through until it is set again. */
const NOTHING_ALLOWED = { cap: 0, raised: 0, at: 0, by: 'open' } as const;

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
  /** Resolves when the last change that was asked for is over. */
  #turn: Promise<void> = Promise.resolve();

  constructor(deps: JobCapsDeps) {
    this.#deps = deps;
  }

  /** Those of a job's layers; the caps of a campaign are those of the job at its top too. */
  of(facts: JobFacts): { caps: Cap[]; personal: CapRow[] } {
    const { caps: config, headlessFactor } = this.#deps.settings.budgets;
    const { interactive, workflow, params, id, root } = facts;
    const caps = resolveCaps({ config, headlessFactor, interactive, workflow, params });
    const top = root === id ? undefined : this.#deps.contextOf(root);
    if (top) {
      const [ofWorkflow, ofParams] = readCampaignCaps(top);
      const layers = { config: {}, headlessFactor: 1, interactive };
      caps.push(...resolveCaps({ ...layers, workflow: ofWorkflow, params: ofParams }));
    }
    return { caps: pickTightestCaps(caps), personal: this.personal() };
  }

  /** Those of the configuration. */
  configured(): Cap[] {
    const { caps: config } = this.#deps.settings.budgets;
    return resolveCaps({ config, headlessFactor: 1, interactive: true });
  }

  /** What people have set and raised. */
  personal(): CapRow[] {
    return replaceChangedCaps(
      this.#deps.rows.all('budget_caps', {}, { instead: NOTHING_ALLOWED }),
      this.#changing,
    );
  }

  /**
   * Changes caps, one change after the other: each is made from what the one before has left. They
   * count as made while `write` commits them: jobs that they let go get their slots in the same
   * commit, which the store does not know yet. Changes of anything else do not wait.
   */
  async changing<T>(make: () => RowChange[], write: (made: RowChange[]) => Promise<T>): Promise<T> {
    const first = make();
    if (pickCapRows(first).length === 0) return write(first);
    const before = this.#turn;
    let over = () => {};
    this.#turn = new Promise((resolve) => {
      over = resolve;
    });
    await before;
    try {
      const changes = make();
      this.#changing = pickCapRows(changes);
      return await write(changes);
    } finally {
      this.#changing = [];
      over();
    }
  }
}
