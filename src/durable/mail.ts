import { KernelError, type KernelClock } from './contract.ts';
import type { Report, Submit } from './work.ts';
import type { MailRow } from './writer.ts';

/** Wait before a letter whose delivery could not be written is delivered again, ms. */
const AGAIN_MS = 1_000;

/** A letter's id is that of the effect that wrote it: `<actor>/<seq>/<index>`. */
const senderOf = ({ id }: MailRow): string => id.split('/').slice(0, -2).join('/');

/**
 * Delivers committed letters between actors; the receiver's step and the letter's removal share a
 * commit. Letters of one sender to one receiver arrive in the order of their writing, also where
 * one of them has to be tried again.
 */
export class Mail {
  readonly #submit: Submit;
  readonly #clock: KernelClock;
  readonly #report: Report;
  /** Letters that are under way or wait for one that is, by sender and receiver. */
  readonly #queues = new Map<string, MailRow[]>();
  #stopped = false;

  constructor(submit: Submit, clock: KernelClock, report: Report) {
    this.#submit = submit;
    this.#clock = clock;
    this.#report = report;
  }

  /** Letters that are not delivered when the kernel stops wait in the store. */
  stop(): void {
    this.#stopped = true;
  }

  deliver(letters: readonly MailRow[]): void {
    for (const letter of letters) {
      const pair = JSON.stringify([senderOf(letter), letter.to]);
      const queue = this.#queues.get(pair);
      if (queue) {
        queue.push(letter);
      } else {
        this.#queues.set(pair, [letter]);
        this.#next(pair);
      }
    }
  }

  #next(pair: string): void {
    const queue = this.#queues.get(pair);
    const letter = queue?.[0];
    if (this.#stopped) return;
    if (!queue || !letter) {
      this.#queues.delete(pair);
      return;
    }
    const gone = () => {
      queue.shift();
      this.#next(pair);
    };
    this.#submit({ sends: [{ to: letter.to, event: letter.event }], mailDone: letter.id }).then(
      gone,
      (error) => {
        this.#report(`letter ${letter.id} to ${letter.to}`, error);
        if (!(error instanceof KernelError) || error.code !== 'commit-failed') return gone();
        this.#clock.at(this.#clock.now() + AGAIN_MS, () => this.#next(pair));
      },
    );
  }
}
