import type { SessionKey } from '../../contract/session/sessionRef.ts';
import type { MessageWay } from '../../contract/schema/session/message.ts';
import type { Send } from '../../kernel/contract.ts';
import type { Kernel } from '../../contract/records/changes.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import { type InboxItemRow, isInboxItemOpen } from '../../jobs/views/jobRows.ts';
import { findLastAttempt, findMessageItem } from '../../jobs/views/messageRows.ts';

/** The journal's source of acknowledgements: one for each message. */
const READ = 'message-read';

export interface ReceiptsDeps {
  kernel: Pick<Kernel, 'submit'>;
  rows: RowReader;
  onError(where: string, error: unknown): void;
}

/**
 * Records what becomes of the messages of one run of a session. Each is offered once; reports are
 * stored in order.
 */
export class Receipts {
  readonly #run: SessionKey & { attempt: number };
  readonly #deps: ReceiptsDeps;
  readonly #offered = new Set<string>();
  readonly #unwritten = new Set<string>();
  /** Ids given with the kickoff: a report about it counts for all of them. */
  #withKickoff: readonly string[] = [];

  constructor({ jobId, visit, session }: SessionKey, deps: ReceiptsDeps) {
    this.#deps = deps;
    // Not the effect's attempt, which restarts at 1 after progress.
    const attempt = 1 + findLastAttempt(deps.rows, { jobId, visit, session });
    this.#run = { jobId, visit, session, attempt };
  }

  /**
   * Records that these are about to be given to the session. Resolves after the commit to those
   * that should be given: without those that this run already had, that an agent has read, or that
   * were replaced meanwhile. Rejects if it could not be written.
   */
  async offer(
    ids: readonly string[],
    how: MessageWay,
    interruptedTurn: string | null,
  ): Promise<string[]> {
    const { jobId, visit, session, attempt } = this.#run;
    const fresh = ids.filter((id) => !this.#offered.has(id) && this.#isOpen(id));
    for (const id of fresh) this.#offered.add(id);
    if (fresh.length === 0) return [];
    await this.#deps.kernel.submit({
      sends: fresh.map((id) => ({
        to: jobId,
        event: {
          type: 'message.offered',
          id,
          visit,
          session,
          attempt,
          how,
          interrupted: interruptedTurn,
        },
      })),
      allOrNothing: true,
    });
    if (how === 'kickoff') this.#withKickoff = fresh;
    // Another one may have replaced it in the same commit.
    return fresh.filter((id) => this.#isOpen(id));
  }

  /** The executor reports the delivery of a message, or of the whole kickoff. */
  takeReport(id: string, state: 'delivered' | 'acknowledged', kickoff: string): void {
    const ids = id === kickoff ? this.#withKickoff : this.#offered.has(id) ? [id] : [];
    for (const one of ids) this.#write(one, state);
  }

  /**
   * Sends for the commit of the session's end: acknowledgements that could not be written earlier
   * and, if the session ended properly, those of everything in its kickoff.
   */
  listAtEnd(inGoodOrder: boolean): Send[] {
    const ids = new Set([...this.#unwritten, ...(inGoodOrder ? this.#withKickoff : [])]);
    return [...ids].flatMap((id) => this.#send(id, 'acknowledged') ?? []);
  }

  #isOpen(id: string): boolean {
    const item = this.#item(id);
    return item !== undefined && isInboxItemOpen(item);
  }

  #item(id: string): InboxItemRow | undefined {
    return findMessageItem(this.#deps.rows, this.#run.jobId, id);
  }

  #write(id: string, state: 'delivered' | 'acknowledged'): void {
    const send = this.#send(id, state);
    if (!send) return;
    this.#deps.kernel.submit({ sends: [send] }).catch((error: unknown) => {
      if (state === 'acknowledged') this.#unwritten.add(id);
      this.#deps.onError(`receipt of ${this.#run.jobId}`, error);
    });
  }

  #send(id: string, state: 'delivered' | 'acknowledged'): Send | undefined {
    const item = this.#item(id);
    if (!item) return undefined;
    const { jobId, visit, session, attempt } = this.#run;
    const offer = { id, visit, session, attempt };
    return state === 'delivered'
      ? { to: jobId, event: { type: 'message.delivered', ...offer } }
      : {
          to: jobId,
          event: { type: 'message.acknowledged', n: item.n, ...offer },
          source: READ,
          externalId: id,
        };
  }
}
