import type { SessionMessage, Steering } from '../../contract/session/executor.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Nudge } from './protocol.ts';

/** Longest wait while a plugin repairs its agent's tool server, ms. */
const HEAL_MS = 10_000;

/** The input of a plugin's session. If the plugin does not answer, the answer is no. */
export class PluginSteering implements Steering {
  readonly #clock: Clock;
  readonly #nudge: (nudge: Nudge) => void;
  readonly #waiting = new Map<number, (yes: boolean) => void>();
  #last = 0;
  #over = false;

  constructor(clock: Clock, nudge: (nudge: Nudge) => void) {
    this.#clock = clock;
    this.#nudge = nudge;
  }

  send(messages: readonly SessionMessage[]): void {
    this.#nudge({ nudge: 'send', messages: [...messages] });
  }

  interrupt(ackMs: number): Promise<boolean> {
    return this.#ask(ackMs, (n) => ({ nudge: 'interrupt', n, ackMs }));
  }

  heal(): Promise<boolean> {
    return this.#ask(HEAL_MS, (n) => ({ nudge: 'heal', n }));
  }

  close(): void {
    this.#nudge({ nudge: 'close' });
  }

  settleAnswer(n: number, yes: boolean): void {
    this.#waiting.get(n)?.(yes);
  }

  /** The session is over: open questions get no answer. */
  end(): void {
    this.#over = true;
    for (const answer of [...this.#waiting.values()]) answer(false);
  }

  #ask(waitMs: number, toNudge: (n: number) => Nudge): Promise<boolean> {
    if (this.#over) return Promise.resolve(false);
    this.#last += 1;
    const n = this.#last;
    return new Promise((resolve) => {
      const answer = (yes: boolean) => {
        giveUp();
        this.#waiting.delete(n);
        resolve(yes);
      };
      const giveUp = this.#clock.at(this.#clock.now() + waitMs, () => answer(false));
      this.#waiting.set(n, answer);
      this.#nudge(toNudge(n));
    });
  }
}
