/** Shortest answer that is asked for, tokens: a model that gives less is of no use. */
const LEAST_OUTPUT = 256;
/**
 * Largest part of the window for an answer, and the part for one whose setting is larger or whose
 * window was refused: folding begins at three quarters, and most servers count both together.
 */
const MOST_OUTPUT = 0.5;
const OUTPUT_SHARE = 0.25;

export interface SetLengths {
  contextWindow: number;
  maxOutputTokens: number;
}

interface Known {
  window?: number;
  output?: number;
}

/**
 * What refusals have shown of the endpoints' models, until the runner ends or the agent's settings
 * change: the next session need not be refused for the same.
 */
export class ModelLimits {
  readonly #known = new Map<string, Known>();

  findLimits(baseUrl: string | null, model: string): LimitsOfModel {
    const key = `${baseUrl} ${model}`;
    const limits = this.#known.get(key) ?? {};
    this.#known.set(key, limits);
    return new LimitsOfModel(limits);
  }
}

export class LimitsOfModel {
  readonly #known: Known;

  constructor(limits: Known) {
    this.#known = limits;
  }

  /** Size of the window, conversation and answer together, tokens. */
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

  /** Stores the window that a refusal names; false = it is no smaller than the known one. */
  learnWindow(window: number, set: SetLengths): boolean {
    if (window >= this.window(set)) return false;
    this.#known.window = window;
    return true;
  }

  /** Called when a person is asked to repair something: refused requests may succeed afterwards. */
  forget(): void {
    delete this.#known.window;
    delete this.#known.output;
  }

  /** Stores the longest answer that a refusal allows; false = it is no shorter, or too short. */
  learnOutput(output: number, set: SetLengths): boolean {
    if (output >= this.output(set) || output < LEAST_OUTPUT) return false;
    this.#known.output = output;
    return true;
  }
}
