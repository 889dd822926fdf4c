import type { Usage } from '../../contract/session.ts';
import type { UsageReport } from '../../contract/usageReport.ts';
import { addUsage } from '../../domain/usageSum.ts';
import type { SessionOutput } from './sessionOutput.ts';

/** Passes on what is reported of tokens, and adds up what the endpoint has counted of them. */
export class UsageCount {
  readonly #output: Pick<SessionOutput, 'tell'>;
  #sum: Usage | null = null;

  constructor(output: Pick<SessionOutput, 'tell'>) {
    this.#output = output;
  }

  /** Null = the endpoint has counted nothing. */
  get sum(): Usage | null {
    return this.#sum;
  }

  take(...reports: readonly UsageReport[]): void {
    for (const report of reports) {
      // An estimate is no count of the endpoint's.
      if (report.source !== 'estimated') this.#sum = addUsage(this.#sum, report.usage);
      this.#output.tell(report);
    }
  }
}
