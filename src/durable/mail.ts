import { KernelError, type KernelClock } from './contract.ts';
import type { Report, Submit } from './work.ts';
import type { MailRow } from './writer.ts';

/** Wait before a letter whose delivery could not be written is delivered again, ms. */
const AGAIN_MS = 1_000;

/** Delivers committed letters between actors; the receiver's step and the letter's removal share a commit. */
export class Mail {
  readonly #submit: Submit;
  readonly #clock: KernelClock;
  readonly #report: Report;
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
    if (this.#stopped) return;
    for (const letter of letters) {
      this.#submit({ sends: [{ to: letter.to, event: letter.event }], mailDone: letter.id }).catch((error) => {
        this.#report(`letter ${letter.id} to ${letter.to}`, error);
        if (!(error instanceof KernelError) || error.code !== 'commit-failed') return;
        this.#clock.at(this.#clock.now() + AGAIN_MS, () => this.deliver([letter]));
      });
    }
  }
}
