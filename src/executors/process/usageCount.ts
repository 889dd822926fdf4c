import type { Usage } from '../../contract/session.ts';
import type { UsageReport } from '../../contract/usageReport.ts';
import {
  type CallChars,
  estimateLine,
  estimateMissing,
  type TokenCounts,
} from '../../domain/parseTokenCounts.ts';
import { addUsage, isUsed } from '../../domain/usageSum.ts';
import type { SessionOutput } from './sessionOutput.ts';

/** Passes on what is reported of tokens, and adds up what the endpoint has counted of them. */
export class UsageCount {
  readonly #output: Pick<SessionOutput, 'tell' | 'control'>;
  #sum: Usage | null = null;
  #isNoted = false;

  constructor(output: Pick<SessionOutput, 'tell' | 'control'>) {
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

  /** Counts of a turn as its agent reports them, with an estimate of what is missing in them. */
  takeCounts({ usage: counted, problem }: TokenCounts, chars: CallChars): void {
    const { usage, isEstimated } = estimateMissing(counted, chars);
    if (problem !== null || isEstimated) this.noteOnce(estimateLine(problem));
    if (!isUsed(usage)) return;
    this.take({ type: 'usage', usage, ...(isEstimated ? { source: 'estimated' } : {}) });
  }

  /** Writes the first of these lines into the log of the job. */
  noteOnce(line: string): void {
    if (!this.#isNoted) this.#output.control(line);
    this.#isNoted = true;
  }
}
