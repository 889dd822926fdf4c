import { SvcError } from '../base/errors/errors.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Frame, ReceivedFrame } from '../contract/channel/frames.ts';
import type { TriggerClaim } from '../contract/forge/forwardedWebhook.ts';

/** Longest wait for the control plane's answer, ms: senders of webhooks wait for ten seconds. */
const ANSWER_MS = 8_000;

interface Question {
  /** null = the rule may create its job, else why not. */
  resolve(reason: string | null): void;
  reject(error: SvcError): void;
}

const createAwayError = (why: string): SvcError =>
  new SvcError(
    'cloud-unreachable',
    `Whether another runner creates the job of this webhook is not known: ${why}. Send it again.`,
  );

/** Asks the control plane which runner's rule creates the job of a delivery. */
export class ClaimQuestions {
  readonly #clock: Clock;
  readonly #open = new Map<string, Question>();
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws SvcError `cloud-unreachable` where there is no answer in time, or no connection: `send` is null. */
  ask(claim: TriggerClaim, send: ((frame: Frame<'claim'>) => void) | null): Promise<string | null> {
    if (send === null)
      return Promise.reject(createAwayError('this runner is not connected to its control plane'));
    this.#count += 1;
    const id = this.#count.toString(36);
    let cancel = (): void => undefined;
    const answer = new Promise<string | null>((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      cancel = this.#clock.at(this.#clock.now() + ANSWER_MS, () =>
        reject(createAwayError('the control plane does not answer')),
      );
      send({ type: 'claim', id, ...claim });
    });
    return answer.finally(() => {
      cancel();
      this.#open.delete(id);
    });
  }

  answer({ id, granted, reason = 'another runner creates its job' }: ReceivedFrame<'claimAnswer'>) {
    const question = this.#open.get(id);
    if (granted === null) question?.reject(createAwayError(reason));
    else question?.resolve(granted ? null : reason);
  }

  /** The connection is gone. */
  fail(): void {
    for (const { reject } of this.#open.values()) reject(createAwayError('the connection broke'));
  }
}
