import type { PluginSetting } from '../../contract/schema/runner/plugin.ts';

export interface TurnLimits {
  /** Most requests to the model in one turn, as far as the agent shows them. */
  maxTurns: number;
  /** How often the same call may fail while no other call succeeds. */
  maxRepeatedFailures: number;
}

export const DEFAULT_TURN_LIMITS: TurnLimits = { maxTurns: 200, maxRepeatedFailures: 10 };

export const TURN_SETTINGS = {
  maxTurns: {
    type: 'integer',
    description:
      'Most requests to the model in one turn; after that the job waits for a person, with its branch as it is.',
    default: DEFAULT_TURN_LIMITS.maxTurns,
  },
  maxRepeatedFailures: {
    type: 'integer',
    description:
      'How often the same tool call may fail while no other call succeeds; after that the job waits for a person, with its branch as it is.',
    default: DEFAULT_TURN_LIMITS.maxRepeatedFailures,
  },
} as const satisfies Record<string, PluginSetting>;

/** The limits of a configuration that was checked against the manifest; each at least 1. */
export function readTurnLimits(
  config: Readonly<Record<string, string | number | boolean>>,
): TurnLimits {
  const limit = (name: keyof TurnLimits): number => {
    const value = config[name];
    return typeof value === 'number' && value >= 1 ? value : DEFAULT_TURN_LIMITS[name];
  };
  return { maxTurns: limit('maxTurns'), maxRepeatedFailures: limit('maxRepeatedFailures') };
}

const ENDING: ReadonlySet<string> = new Set(
  [
    'await_event',
    'goto_phase',
    'escalate',
    'request_new_session',
    'switch_workflow',
    'convert_to_workflow',
  ].map((name) => `mcp__svc__${name}`),
);

interface WatchOptions {
  /** Id of the executor, for the names of its settings. */
  plugin: string;
  limits: TurnLimits;
  /** The agent does not show its requests: each call after another counts as one. */
  countsCalls: boolean;
  /** Called once a limit is reached; the text is for people. */
  onLimit(error: string): void;
}

/** Watches a turn: whether the agent says anything, and whether it repeats itself. */
export class TurnWatch {
  readonly #options: WatchOptions;
  readonly #open = new Map<string, string>();
  /** Failures by call, since the last call that succeeded. */
  readonly #failures = new Map<string, number>();
  #requests = 0;
  #hasSpoken = false;
  /** The last call ended the turn, so no text is needed. */
  #mayBeSilent = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** The last answer held neither text nor a call, without an excuse. */
  get isEmpty(): boolean {
    return !this.#hasSpoken && !this.#mayBeSilent;
  }

  get isAsked(): boolean {
    return this.#requests > 0;
  }

  get isCalling(): boolean {
    return this.#open.size > 0;
  }

  turnBegan(): void {
    this.#open.clear();
    this.#failures.clear();
    this.#requests = 0;
    this.#mayBeSilent = false;
    this.answerBegan();
  }

  /** The model is asked again within the turn. */
  requestBegan(): void {
    const { limits, plugin, onLimit } = this.#options;
    this.#requests += 1;
    this.answerBegan();
    if (this.#requests > limits.maxTurns)
      onLimit(
        `The agent asked its model ${limits.maxTurns} times in one turn, the most that plugins.installed.${plugin}.config.maxTurns allows.`,
      );
  }

  answerBegan(): void {
    this.#hasSpoken = false;
  }

  noteText(text: string): void {
    this.#hasSpoken ||= text.trim() !== '';
  }

  /** `input`: as the model wrote it. */
  callBegan(id: string, name: string, input: unknown): void {
    if (this.#options.countsCalls && this.#open.size === 0) this.requestBegan();
    this.#open.set(id, `${name} ${JSON.stringify(input) ?? ''}`);
    this.#mayBeSilent = false;
  }

  callEnded(id: string, name: string, ok: boolean): void {
    const { limits, plugin, onLimit } = this.#options;
    const call = this.#open.get(id);
    this.#open.delete(id);
    this.#hasSpoken = false;
    this.#mayBeSilent = ok && ENDING.has(name);
    if (ok) this.#failures.clear();
    if (ok || call === undefined) return;
    const failures = (this.#failures.get(call) ?? 0) + 1;
    this.#failures.set(call, failures);
    if (failures >= limits.maxRepeatedFailures)
      onLimit(
        `The same call of ${name} failed ${failures} times while no other succeeded, the most that plugins.installed.${plugin}.config.maxRepeatedFailures allows.`,
      );
  }
}
