import { KernelError, type KernelClock } from './contract.ts';
import type { Report, Submit } from './work.ts';
import type { MailRow } from './writer.ts';

/** Wait before an unwritten delivery is retried, ms. */
const AGAIN_MS = 1_000;

/** A message has the id of the effect that wrote it: `<actor>/<seq>/<index>`. */
const parseMailSender = ({ id }: MailRow): string => id.split('/').slice(0, -2).join('/');

/**
 * Delivers committed messages; the receiver's step and the message's removal share a commit.
 * Messages of one sender to one receiver arrive in order, even after retries.
 */
export class Mail {
  readonly #submit: Submit;
  readonly #clock: KernelClock;
  readonly #report: Report;
  /** Messages being delivered or waiting for one that is, by sender and receiver. */
  readonly #queues = new Map<string, MailRow[]>();
  #stopped = false;

  constructor(submit: Submit, clock: KernelClock, report: Report) {
    this.#submit = submit;
    this.#clock = clock;
    this.#report = report;
  }

  /** Undelivered messages stay in the store. */
  stop(): void {
    this.#stopped = true;
  }

  deliver(rows: readonly MailRow[]): void {
    for (const row of rows) {
      const pair = JSON.stringify([parseMailSender(row), row.to]);
      const queue = this.#queues.get(pair);
      if (queue) {
        queue.push(row);
      } else {
        this.#queues.set(pair, [row]);
        this.#sendNext(pair);
      }
    }
  }

  #sendNext(pair: string): void {
    const queue = this.#queues.get(pair);
    const row = queue?.[0];
    if (this.#stopped) return;
    if (!queue || !row) {
      this.#queues.delete(pair);
      return;
    }
    const shift = () => {
      queue.shift();
      this.#sendNext(pair);
    };
    this.#submit({ sends: [{ to: row.to, event: row.event }], mailDone: row.id }).then(
      shift,
      (error) => {
        this.#report(`message ${row.id} to ${row.to}`, error);
        if (!(error instanceof KernelError) || error.code !== 'commit-failed') return shift();
        this.#clock.at(this.#clock.now() + AGAIN_MS, () => this.#sendNext(pair));
      },
    );
  }
}
