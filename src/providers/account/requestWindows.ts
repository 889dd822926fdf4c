import type { RequestWindow } from '../../contract/forge/account.ts';

/**
 * Kinds of requests that the server limits separately, without saying so in its answers. Times are
 * epoch ms.
 */
export class RequestWindows {
  readonly #sent = new Map<string, number[]>();
  readonly #waitsUntil = new Map<string, number>();

  /** When the next request of the kind may go out; in the past = now. */
  waitsUntil({ name, most, ms }: RequestWindow, now: number): number {
    const recent = (this.#sent.get(name) ?? []).filter((at) => now - at < ms);
    this.#sent.set(name, recent);
    const [oldest = now] = recent;
    return Math.max(this.#waitsUntil.get(name) ?? 0, recent.length < most ? 0 : oldest + ms);
  }

  take({ name }: RequestWindow, now: number): void {
    this.#sent.set(name, [...(this.#sent.get(name) ?? []), now]);
  }

  /** None of the kind goes out before `until`. */
  wait({ name }: RequestWindow, until: number): void {
    this.#waitsUntil.set(name, Math.max(this.#waitsUntil.get(name) ?? 0, until));
  }
}
