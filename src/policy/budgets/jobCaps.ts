import type { JobContext } from '../../../machines/index.ts';
import type { Caps } from '../../base/spending/budgetScopes.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';
import { type CapRow, pickCapRows, replaceChangedCaps } from './capRow.ts';
import { type Cap, resolveCaps, pickTightestCaps } from './resolveCaps.ts';
import { readCampaignCaps, type JobFacts } from './readJobFacts.ts';

/** An unreadable cap of a person allows nothing until it is set again. */
const NOTHING_ALLOWED = { cap: 0, raised: 0, at: 0, by: 'open' } as const;

export interface JobCapsDeps {
  rows: Pick<TypedRows<Tables>, 'all'>;
  settings: { budgets: { caps: Caps; headlessFactor: number } };
  readContext(jobId: string): JobContext | undefined;
}

export class JobCaps {
  readonly #deps: JobCapsDeps;
  /** Caps of people that are being written to the store. */
  #changing: readonly CapRow[] = [];
  /** Resolves after the last requested change. */
  #turn: Promise<void> = Promise.resolve();

  constructor(deps: JobCapsDeps) {
    this.#deps = deps;
  }

  /** Caps of a job's layers; those of a campaign include the caps of the job at its top. */
  of(facts: JobFacts): { caps: Cap[]; personal: CapRow[] } {
    const { caps: config, headlessFactor } = this.#deps.settings.budgets;
    const { interactive, workflow, params, id, root } = facts;
    const caps = resolveCaps({ config, headlessFactor, interactive, workflow, params });
    const top = root === id ? undefined : this.#deps.readContext(root);
    if (top) {
      const [ofWorkflow, ofParams] = readCampaignCaps(top);
      const layers = { config: {}, headlessFactor: 1, interactive };
      caps.push(...resolveCaps({ ...layers, workflow: ofWorkflow, params: ofParams }));
    }
    return { caps: pickTightestCaps(caps), personal: this.personal() };
  }

  listConfigured(): Cap[] {
    const { caps: config } = this.#deps.settings.budgets;
    return resolveCaps({ config, headlessFactor: 1, interactive: true });
  }

  personal(): CapRow[] {
    return replaceChangedCaps(
      this.#deps.rows.all('budget_caps', {}, { instead: NOTHING_ALLOWED }),
      this.#changing,
    );
  }

  /**
   * Changes caps, one change after the other: each starts from the result of the last. They count
   * while `write` commits them: jobs that they release get their slots in the same commit, which
   * the store does not have yet. Other changes do not wait.
   */
  async runChange<T>(
    make: () => RowChange[],
    write: (rowChanges: RowChange[]) => Promise<T>,
  ): Promise<T> {
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
