import { SvcError } from '../../base/errors/errors.ts';

/** The function of PostgreSQL that waits for a standby; its texts depend on the language of the server. */
const WAIT_ROUTINE = 'SyncRepWaitForLSN';

/**
 * Notices of commits whose wait for the synchronous standby was given up, by a cancel or a shutdown. PostgreSQL reports
 * such a commit as done and only adds a warning, on a connection that is not named: every statement that ran meanwhile
 * counts as undecided.
 */
export class CancelledWaits {
  #count = 0;

  take(notice: object): void {
    if (Reflect.get(notice, 'routine') === WAIT_ROUTINE) this.#count += 1;
  }

  async confirm<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#count;
    const result = await work();
    if (this.#count !== before)
      throw new SvcError(
        'undecided',
        'PostgreSQL gave up waiting for its synchronous standby: whether the change survives a failover is not known. Send it again.',
      );
    return result;
  }
}
