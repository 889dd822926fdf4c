import type { ReadTool } from '../../contract/planning/chat.ts';

const LAST =
  '[svc] That was the last round of look-ups of this turn. Answer now with what you have.';
const NO_MORE =
  '[svc] This turn has no more look-ups, and this one was not made. Answer with what you have.';

/** Refused calls after which the model counts as stubborn. */
const MAX_REFUSED = 4;

interface LookUpReports {
  /** Called before the first look-up of a round; `n` starts at 1. */
  onRound(n: number): void;
  /** Called when the model continues to call though it is refused. */
  onStubborn(): void;
}

/**
 * The tools of a turn for a program that does not show which calls its model made together: calls
 * that overlap count as one round. Answers of the last round say that it is the last; later calls
 * are refused, and a model that ignores that is reported.
 */
export class BoundedLookUps {
  readonly tools: readonly ReadTool[];
  readonly #maxRounds: number;
  readonly #reports: LookUpReports;
  #rounds = 0;
  #running = 0;
  #refused = 0;

  constructor(tools: readonly ReadTool[], maxRounds: number, reports: LookUpReports) {
    this.#maxRounds = maxRounds;
    this.#reports = reports;
    this.tools = tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: tool.inputSchema,
      run: (args, signal) => this.#run(tool, args, signal),
    }));
  }

  get rounds(): number {
    return Math.min(this.#rounds, this.#maxRounds);
  }

  get isUsedUp(): boolean {
    return this.#rounds >= this.#maxRounds;
  }

  async #run(tool: ReadTool, ...call: Parameters<ReadTool['run']>): ReturnType<ReadTool['run']> {
    const begins = this.#running === 0;
    if (begins) this.#rounds += 1;
    if (this.#rounds > this.#maxRounds) {
      this.#refused += 1;
      if (this.#refused > MAX_REFUSED) this.#reports.onStubborn();
      return { text: NO_MORE, failed: true };
    }
    this.#running += 1;
    if (begins) this.#reports.onRound(this.#rounds);
    try {
      const { text, failed } = await tool.run(...call);
      return { text: this.isUsedUp ? `${text}\n\n${LAST}` : text, failed };
    } finally {
      this.#running -= 1;
    }
  }
}
