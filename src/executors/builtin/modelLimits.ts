/** Least answer that is asked for, tokens: a model that gives less is of no use. */
const LEAST_OUTPUT = 256;
/**
 * Part of the window that an answer may have, and what is left to an answer that is set to more, or
 * where the window was refused: from three quarters on the conversation is folded, and most servers
 * count both together.
 */
const MOST_OUTPUT = 0.5;
const OUTPUT_SHARE = 0.25;

/** What is set for a model, tokens. */
export interface SetLengths {
  contextWindow: number;
  maxOutputTokens: number;
}

interface Known {
  window?: number;
  output?: number;
}

/**
 * What the refusals of endpoints have said of their models, until the runner ends or the settings of
 * the agent change: the next session need not be refused for the same.
 */
export class ModelLimits {
  readonly #known = new Map<string, Known>();

  /** `baseUrl` and `model` together name one. */
  findLimits(baseUrl: string | null, model: string): LimitsOfModel {
    const key = `${baseUrl} ${model}`;
    const known = this.#known.get(key) ?? {};
    this.#known.set(key, known);
    return new LimitsOfModel(known);
  }
}

/** What one model of one endpoint takes. */
export class LimitsOfModel {
  readonly #known: Known;

  constructor(known: Known) {
    this.#known = known;
  }

  /** What the model takes, conversation and answer together, tokens. */
  window({ contextWindow }: SetLengths): number {
    return Math.min(contextWindow, this.#known.window ?? contextWindow);
  }

  /** The longest answer that is asked for, tokens. */
  output(set: SetLengths): number {
    const window = this.window(set);
    const most = Math.min(set.maxOutputTokens, this.#known.output ?? set.maxOutputTokens);
    if (this.#known.window === undefined && most <= window * MOST_OUTPUT) return most;
    return Math.max(1, Math.min(most, Math.floor(window * OUTPUT_SHARE)));
  }

  /** Takes the window that a refusal names; false = it is no smaller than what is known. */
  learnWindow(window: number, set: SetLengths): boolean {
    if (window >= this.window(set)) return false;
    this.#known.window = window;
    return true;
  }

  /** A person is asked to repair it: what was refused before may be taken then. */
  forget(): void {
    delete this.#known.window;
    delete this.#known.output;
  }

  /** Takes the longest answer that a refusal allows; false = it is no shorter, or too short. */
  learnOutput(output: number, set: SetLengths): boolean {
    if (output >= this.output(set) || output < LEAST_OUTPUT) return false;
    this.#known.output = output;
    return true;
  }
}
