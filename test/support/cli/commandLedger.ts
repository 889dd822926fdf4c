import type { Client, RequestOptions } from '../../../src/api/client/client.ts';
import { ClientError } from '../../../src/api/client/problem.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';

export interface Acknowledged {
  key: string;
  command: string;
  reply: unknown;
  /** How often it was sent until there was an answer. */
  sent: number;
}

/** Whether the error leaves open what the runner did: the connection broke, or there was none. */
export const isLost = (error: unknown): boolean =>
  // fetch throws TypeError where the connection breaks within a body.
  error instanceof TypeError || (error instanceof SvcError && error.code === 'unreachable');

/**
 * The answers that clients received, kept outside the runner. Each command is sent with its own
 * key, and again with the same key until it is answered; `revive` waits until the runner answers
 * again.
 */
export class CommandLedger {
  readonly acknowledged: Acknowledged[] = [];
  /** Commands that were refused with 409: they must have had no effect. */
  readonly refused: Acknowledged[] = [];
  readonly #client: () => Client;
  readonly #revive: () => Promise<void>;

  constructor(client: () => Client, revive: () => Promise<void>) {
    this.#client = client;
    this.#revive = revive;
  }

  /** Asks without changing anything, again after a crash. */
  async ask<T>(question: (client: Client) => Promise<T>): Promise<T> {
    return (await this.#answered(question)).reply;
  }

  /** Answers null where the command was refused as not possible now. */
  async command<T>(
    command: string,
    key: string,
    act: (client: Client, once: RequestOptions) => Promise<T>,
  ): Promise<T | null> {
    try {
      const { reply, sent } = await this.#answered((client) =>
        act(client, { idempotencyKey: key }),
      );
      this.acknowledged.push({ key, command, reply, sent });
      return reply;
    } catch (error) {
      if (!(error instanceof ClientError) || error.status !== 409) throw error;
      this.refused.push({ key, command, reply: error.problem, sent: 0 });
      return null;
    }
  }

  async #answered<T>(act: (client: Client) => Promise<T>): Promise<{ reply: T; sent: number }> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return { reply: await act(this.#client()), sent: attempts };
      } catch (error) {
        if (!isLost(error)) throw error;
        await this.#revive();
      }
    }
  }
}
