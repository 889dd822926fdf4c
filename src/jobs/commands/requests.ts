import type { RowChange } from '../../contract/records/changes.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import type { RequestKey } from '../../contract/job/requestKey.ts';

/** The rows that a command commits so that it is done only once. */
export interface OnceScope {
  /** Rows for the command's own commit, which mark the command as done. */
  claim(jobId: string): RowChange<'requests'>[];
}

/**
 * Runs a command with an Idempotency-Key once. The key's row is written in the command's own
 * commit, so a crash leaves either both or neither; a repeat gets the first answer.
 */
export class Requests {
  readonly #rows: RowReader;
  readonly #write: (rows: RowChange<'requests'>[]) => Promise<void>;
  readonly #now: () => number;
  readonly #running = new Set<string>();

  constructor(
    rows: RowReader,
    write: (rows: RowChange<'requests'>[]) => Promise<void>,
    now: () => number,
  ) {
    this.#rows = rows;
    this.#write = write;
    this.#now = now;
  }

  /**
   * @param again builds the answer of a command that was done before a crash could keep its answer
   * @throws SvcError `invalid` for a key that was used with another body, `conflict` while the
   *   first is still running
   */
  async runOnce<T>(
    request: RequestKey | undefined,
    again: (jobId: string) => T | Promise<T>,
    run: (scope: OnceScope) => Promise<T>,
  ): Promise<T> {
    if (!request) return run({ claim: () => [] });
    const earlierRequest = this.#rows.one('requests', { key: request.key });
    if (earlierRequest) {
      if (earlierRequest.body_hash !== request.bodyHash) {
        throw new SvcError(
          'invalid',
          `The Idempotency-Key ${request.key} was already used for another request; use a new key.`,
        );
      }
      return earlierRequest.reply === ''
        ? again(earlierRequest.job_id)
        : (JSON.parse(earlierRequest.reply) as T);
    }
    if (this.#running.has(request.key)) {
      throw new SvcError(
        'conflict',
        `The first request with the Idempotency-Key ${request.key} is still running.`,
        // Not a refusal: what it asks for may yet be done.
        { data: { running: true } },
      );
    }
    this.#running.add(request.key);
    try {
      const at = this.#now();
      const reply = await run({
        claim: (jobId) => [
          {
            op: 'put',
            table: 'requests',
            row: { key: request.key, body_hash: request.bodyHash, job_id: jobId, reply: '', at },
          },
        ],
      });
      // The command is durable, so a reply that cannot be stored is not an error: `again` answers a
      // repeat.
      await this.#keep(request.key, reply).catch(() => undefined);
      return reply;
    } finally {
      this.#running.delete(request.key);
    }
  }

  #keep(key: string, reply: unknown): Promise<void> {
    return this.#write([
      { op: 'patch', table: 'requests', key: { key }, set: { reply: JSON.stringify(reply) } },
    ]);
  }
}
