import type { Usage } from '../../contract/schema/session/usage.ts';
import type { UsageReport } from '../../contract/session/usageReport.ts';
import {
  type CallChars,
  estimateLine,
  estimateMissing,
  type TokenCounts,
} from '../../base/spending/parseTokenCounts.ts';
import { addUsage, isUsed } from '../../base/spending/usageSum.ts';
import type { SessionOutput } from './sessionOutput.ts';

type Output = Pick<SessionOutput, 'tell' | 'control' | 'answeredChars'>;

/** Passes on reports of tokens and adds up what the endpoint has counted. */
export class UsageCount {
  readonly #output: Output;
  #sum: Usage | null = null;
  #isNoted = false;
  /** Characters of all prompts since the last turn, and of the answers until then. */
  #asked = 0;
  #answeredBefore = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Null = the endpoint has counted nothing. */
  get sum(): Usage | null {
    return this.#sum;
  }

  take(...reports: readonly UsageReport[]): void {
    for (const report of reports) {
      // Estimates do not count.
      if (report.source !== 'estimated') this.#sum = addUsage(this.#sum, report.usage);
      this.#output.tell(report);
    }
  }

  /** Notes what the agent is asked, so that missing counts can be estimated from the characters. */
  ask(...texts: readonly string[]): void {
    for (const text of texts) this.#asked += text.length;
  }

  /**
   * Ends a turn. `counts`: its usage as the agent reports it; null = already reported, or not at
   * all. Missing counts are estimated. `problem`: what was ignored of other counts.
   */
  endTurn(counts: TokenCounts | null, problem: string | null = null): void {
    const { answeredChars } = this.#output;
    const chars = { asked: this.#asked, answered: answeredChars - this.#answeredBefore };
    this.#asked = 0;
    this.#answeredBefore = answeredChars;
    // A refused turn has used nothing.
    const isAnswered = chars.answered > 0 || (counts !== null && isUsed(counts.usage));
    if (counts !== null && isAnswered) this.#takeCounts(counts, chars);
    else if (problem !== null) this.noteOnce(estimateLine(problem));
  }

  #takeCounts({ usage: counts, problem }: TokenCounts, chars: CallChars): void {
    const { usage, isEstimated } = estimateMissing(counts, chars);
    if (problem !== null || isEstimated) this.noteOnce(estimateLine(problem));
    if (!isUsed(usage)) return;
    this.take({ type: 'usage', usage, ...(isEstimated ? { source: 'estimated' } : {}) });
  }

  /** Writes only the first of these lines into the job's log. */
  noteOnce(line: string): void {
    if (!this.#isNoted) this.#output.control(line);
    this.#isNoted = true;
  }
}
