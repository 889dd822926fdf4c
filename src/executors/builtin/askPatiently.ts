import { sleep } from '../../base/time/waiting.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { QuotaHit } from '../../base/agents/quotaKinds.ts';
import type { SessionFault } from '../../base/errors/sessionFaults.ts';
import { askModel, type Question, type Reply } from './askModel.ts';
import {
  type Asker,
  formatModelFault,
  type ModelFault,
  toModelFault,
  toTurnFault,
} from './toModelFault.ts';
import type { LimitsOfModel } from './modelLimits.ts';
import type { TooLong } from '../process/refusal/parseLengths.ts';
import type { BuiltinSettings } from './settings.ts';

/**
 * Most times that one request is shortened after a refusal; each leaves half of what can be folded.
 */
const MAX_FOLDS = 8;

/** How long requests to the model are waited for, ms. */
export interface Patience {
  firstWaitMs: number;
  /**
   * Longest wait for one answer, all waits between its tries together, even if the endpoint asks
   * for more.
   */
  longestWaitMs: number;
  /** Longest silence within an answer before it counts as broken. */
  silenceMs: number;
}

export const PATIENCE: Patience = {
  firstWaitMs: 1_000,
  longestWaitMs: 120_000,
  silenceMs: 300_000,
};

/** The turn cannot continue; the message is for people and says how to fix it. */
export class TurnFault extends Error {
  readonly fault: SessionFault;

  constructor(message: string, fault: SessionFault) {
    super(message);
    this.fault = fault;
  }
}

/** The endpoint takes no requests for longer than a session waits. */
export class QuotaFault extends Error {
  readonly hit: QuotaHit;

  constructor(message: string, hit: QuotaHit) {
    super(message);
    this.hit = hit;
  }
}

interface PatientQuestion {
  settings: BuiltinSettings;
  modelId: string;
  /** Who asks, for error texts. Default: a session. */
  asks?: Asker;
  clock: Clock;
  patience: Patience;
  signal: AbortSignal;
  question(): Omit<Question, 'signal'>;
  limits: LimitsOfModel;
  /** Makes the conversation shorter than the refused one; false when it cannot. */
  makeRoom(problem: TooLong): boolean;
  /** Called when a try has failed; its output so far is void. */
  onBroken(): void;
  /** A line for people. */
  say(line: string): void;
}

const summarizeModelFault = ({ status, said }: ModelFault): string =>
  status === null ? said : `${status} ${said}`.trim();

const WINDOW = 'plugins.installed.builtin.config.contextWindow';

/** The line about a limit that a refusal has named; null = nothing new. */
function learnModelLimit(
  { tooLong, output }: ModelFault,
  { limits, settings, modelId }: Pick<PatientQuestion, 'limits' | 'settings' | 'modelId'>,
): string | null {
  const until = "This applies until the runner stops or the agent's settings change.";
  if (output !== null && limits.learnOutput(output, settings))
    return `The model endpoint refuses the length of the answer: ${modelId} is asked for at most ${output} tokens. ${until} Set plugins.installed.builtin.config.maxOutputTokens to ${output} to keep it.`;
  const window = tooLong?.window ?? null;
  if (window !== null && limits.learnWindow(window, settings))
    return `The model endpoint says that ${modelId} takes ${window} tokens. ${until} Set ${WINDOW} to ${window} to keep it.`;
  return null;
}

/**
 * Asks the model until it answers: passing failures are tried again after a wait, and a
 * conversation that is too long is made shorter. Throws TurnFault when that does not help, and
 * whatever the abort of `signal` throws.
 */
export async function askPatiently(options: PatientQuestion): Promise<Reply> {
  const { settings, modelId, limits, clock, patience, signal, makeRoom, onBroken, say } = options;
  const { asks = 'session' } = options;
  let refusals = 0;
  let folds = 0;
  let waitedMs = 0;
  for (let tries = 1; ; ) {
    const silence = new AbortController();
    const { onPart, ...question } = options.question();
    let stopTimer = () => {};
    let isOver = false;
    const wait = () => {
      stopTimer();
      // Output of a failed answer that still arrives is not a sign of life.
      if (isOver) return;
      stopTimer = clock.at(clock.now() + patience.silenceMs, () => silence.abort());
    };
    wait();
    try {
      return await askModel({
        ...question,
        signal: AbortSignal.any([signal, silence.signal]),
        onBytes: wait,
        onPart: (part) => {
          wait();
          return onPart(part);
        },
      });
    } catch (error) {
      isOver = true;
      if (signal.aborted) throw error;
      onBroken();
      const cause = silence.signal.aborted
        ? new Error(`nothing arrived for ${patience.silenceMs / 1000} s`)
        : error;
      // The rest of the answer is not read: its connection is closed.
      silence.abort();
      stopTimer();
      const fault = toModelFault(cause, question.maxOutputTokens, clock.now());
      const { tooLong } = fault;
      if ((tooLong !== null || fault.output !== null) && refusals < MAX_FOLDS) {
        refusals += 1;
        const line = learnModelLimit(fault, options);
        if (line !== null) say(line);
        else if (tooLong?.window === null && folds === 0)
          say(
            `The model endpoint says that the conversation is too long, not what ${modelId} takes: it is made shorter. Set ${WINDOW} to what ${modelId} takes.`,
          );
        const isShorter = tooLong !== null && makeRoom(tooLong);
        if (isShorter) folds += 1;
        if (isShorter || line !== null) continue;
      }
      const waitMs =
        fault.waitMs ?? Math.min(patience.firstWaitMs * 2 ** (tries - 1), patience.longestWaitMs);
      if (
        fault.kind !== 'passing' ||
        tries > settings.maxRetries ||
        waitedMs + waitMs > patience.longestWaitMs
      ) {
        if (tooLong !== null || fault.output !== null) limits.forget();
        const text = formatModelFault(fault, settings, { model: modelId, tries, asks, folds });
        throw fault.quota
          ? new QuotaFault(text, fault.quota)
          : new TurnFault(text, toTurnFault(fault));
      }
      waitedMs += waitMs;
      tries += 1;
      say(
        `The model endpoint could not answer (${summarizeModelFault(fault)}); try ${tries} of ${settings.maxRetries + 1} in ${waitMs / 1000} s.`,
      );
      await sleep(clock, waitMs, signal);
    } finally {
      isOver = true;
      stopTimer();
    }
  }
}
