import type { MessageWay } from '../../schema/message.ts';
import type { Kernel } from '../../durable/contract.ts';
import type { RowReader } from '../../store/rowReader.ts';
import { type InboxItemRow, isOpen } from '../jobRows.ts';
import { messageItem } from './messageRows.ts';

/** The journal's source of acknowledgements: one for each message. */
const READ = 'message-read';

/** One run of a session. */
export interface RunOfSession {
  jobId: string;
  visit: number;
  session: number;
  attempt: number;
}

export interface ReceiptsDeps {
  kernel: Pick<Kernel, 'submit'>;
  rows: RowReader;
  onError(where: string, error: unknown): void;
}

/** Writes down what becomes of the messages of one run of a session. Each is offered once, and told of in order. */
export class Receipts {
  readonly #run: RunOfSession;
  readonly #deps: ReceiptsDeps;
  readonly #offered = new Set<string>();
  /** Ids that were given with the kickoff: what is told of it counts for all of them. */
  #withKickoff: readonly string[] = [];

  constructor(run: RunOfSession, deps: ReceiptsDeps) {
    this.#run = run;
    this.#deps = deps;
  }

  /**
   * Says that these are about to be given to the session. Resolves after the commit with those that are to be given: without
   * those that this run had already, that an agent has read, or that were superseded meanwhile. Rejects when it could not be written.
   */
  async offer(ids: readonly string[], how: MessageWay, interrupted: string | null): Promise<string[]> {
    const { jobId, visit, session, attempt } = this.#run;
    const fresh = ids.filter((id) => !this.#offered.has(id) && this.#isOpen(id));
    for (const id of fresh) this.#offered.add(id);
    if (fresh.length === 0) return [];
    await this.#deps.kernel.submit({
      sends: fresh.map((id) => ({
        to: jobId,
        event: { type: 'message.offered', id, visit, session, attempt, how, interrupted },
      })),
      allOrNothing: true,
    });
    if (how === 'kickoff') this.#withKickoff = fresh;
    // Another one may have taken its place in the very commit.
    return fresh.filter((id) => this.#isOpen(id));
  }

  /** What the executor tells of a message, or of the kickoff. */
  told(id: string, state: 'delivered' | 'acknowledged', kickoff: string): void {
    const ids = id === kickoff ? this.#withKickoff : this.#offered.has(id) ? [id] : [];
    for (const one of ids) this.#write(one, state);
  }

  /** The session ended its turn in good order: what came with its kickoff was read. */
  kickoffWasRead(): void {
    for (const id of this.#withKickoff) this.#write(id, 'acknowledged');
  }

  #isOpen(id: string): boolean {
    const item = this.#item(id);
    return item !== undefined && isOpen(item);
  }

  #item(id: string): InboxItemRow | undefined {
    return messageItem(this.#deps.rows, this.#run.jobId, id);
  }

  #write(id: string, state: 'delivered' | 'acknowledged'): void {
    const item = this.#item(id);
    if (!item) return;
    const { jobId, visit, session, attempt } = this.#run;
    const offer = { id, visit, session, attempt };
    const send =
      state === 'delivered'
        ? { to: jobId, event: { type: 'message.delivered', ...offer } }
        : { to: jobId, event: { type: 'message.acknowledged', n: item.n, ...offer }, source: READ, externalId: id };
    this.#deps.kernel.submit({ sends: [send] }).catch((error: unknown) => this.#deps.onError(`receipt of ${jobId}`, error));
  }
}
