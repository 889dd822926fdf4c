import { sleep } from '../../lib/waiting.ts';
import type { Clock } from '../../lib/clock.ts';
import type { QuotaHit } from '../../domain/quotaKinds.ts';
import type { SessionFault } from '../../domain/sessionFaults.ts';
import { askModel, type Question, type Reply } from './askModel.ts';
import { type Asker, faultText, type ModelFault, modelFault } from './modelFault.ts';
import type { BuiltinSettings } from './settings.ts';

/** How requests to the model are waited for, ms. */
export interface Patience {
  /** Wait before the second try; each further one is twice as long. */
  firstWaitMs: number;
  /**
   * Longest wait for one answer, all waits between its tries together, also where the endpoint
   * wants a longer one.
   */
  longestWaitMs: number;
  /** Longest silence in an answer before it counts as broken. */
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

/** The endpoint takes no requests for longer than is waited for within a session. */
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
  /** For what an error says. Default: a session. */
  asks?: Asker;
  clock: Clock;
  patience: Patience;
  signal: AbortSignal;
  /** The request to send now: built again for each try. */
  question(): Omit<Question, 'signal'>;
  /** Makes the conversation shorter; false when it cannot be. */
  makeRoom(must: boolean): boolean;
  /** A try has failed; what it has said so far is void. */
  onBroken(): void;
  /** A line for people. */
  say(line: string): void;
}

const brief = ({ status, said }: ModelFault): string =>
  status === null ? said : `${status} ${said}`.trim();

/**
 * Asks the model until it has answered: what fails in passing is tried again after a while, a
 * conversation that is too long is made shorter once. Throws TurnFault when that does not help, and
 * whatever the abort of `signal` throws.
 */
export async function askPatiently(options: PatientQuestion): Promise<Reply> {
  const { settings, modelId, clock, patience, signal, makeRoom, onBroken, say } = options;
  const { asks = 'session' } = options;
  let shortened = false;
  let waitedMs = 0;
  for (let tries = 1; ; tries += 1) {
    const silence = new AbortController();
    const { onPart, ...question } = options.question();
    let stopTimer = () => {};
    const wait = () => {
      stopTimer();
      stopTimer = clock.at(clock.now() + patience.silenceMs, () => silence.abort());
    };
    wait();
    try {
      return await askModel({
        ...question,
        signal: AbortSignal.any([signal, silence.signal]),
        onPart: (part) => {
          wait();
          return onPart(part);
        },
      });
    } catch (error) {
      if (signal.aborted) throw error;
      onBroken();
      const fault = silence.signal.aborted
        ? modelFault(new Error(`nothing arrived for ${patience.silenceMs / 1000} s`), clock.now())
        : modelFault(error, clock.now());
      if (fault.tooLong && !shortened && makeRoom(true)) {
        shortened = true;
        continue;
      }
      const waitMs =
        fault.waitMs ?? Math.min(patience.firstWaitMs * 2 ** (tries - 1), patience.longestWaitMs);
      if (
        !fault.passing ||
        tries > settings.maxRetries ||
        waitedMs + waitMs > patience.longestWaitMs
      ) {
        const text = faultText(fault, settings, { model: modelId, tries, asks });
        throw fault.quota
          ? new QuotaFault(text, fault.quota)
          : new TurnFault(text, fault.passing ? 'unreachable' : 'refused');
      }
      waitedMs += waitMs;
      say(
        `The model endpoint could not answer (${brief(fault)}); try ${tries + 1} of ${settings.maxRetries + 1} in ${waitMs / 1000} s.`,
      );
      stopTimer();
      await sleep(clock, waitMs, signal);
    } finally {
      stopTimer();
    }
  }
}
