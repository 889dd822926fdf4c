import type { Frame, ReceivedFrame } from '../../contract/channel/frames.ts';
import { MAX_PART_BYTES } from '../../contract/channel/limits.ts';
import { isJsonObject } from '../../base/json/isJsonObject.ts';
import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import type { Sealer } from '../server/sealer.ts';
import type { WebhookSocket } from '../runners/webhookLinks.ts';
import {
  ANSWER_MS,
  type DueDelivery,
  forgetSend,
  postponeSend,
  refuseSend,
  takeDue,
} from './sendRows.ts';
import { settleClaims } from './settleClaims.ts';
import { toHeadersPlace } from './storeDelivery.ts';

export interface FeedParts {
  context: CloudContext;
  sealer: Sealer;
  /** Others may get what this runner has given back. */
  onReturned(): void;
}

/** Brings the deliveries of a team to one connected runner: in their order, each until the runner has committed it. */
export class RunnerFeed {
  readonly runnerId: string;
  readonly #parts: FeedParts;
  readonly #socket: WebhookSocket;
  #isWanted = false;
  #running: Promise<void> | null = null;
  /** Called with the answer to the delivery that was sent; null = none came in time, or the runner has left. */
  #takeAnswer: ((answer: ReceivedFrame<'hookAck'> | null) => void) | null = null;
  #sent: Pick<Frame<'hook'>, 'n' | 'rule'> | null = null;

  constructor(runnerId: string, socket: WebhookSocket, parts: FeedParts) {
    this.runnerId = runnerId;
    this.#socket = socket;
    this.#parts = parts;
  }

  get isOpen(): boolean {
    return this.#socket.isOpen;
  }

  /** Something may be due. */
  wake(): void {
    this.#isWanted = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  take(answer: ReceivedFrame<'hookAck'>): void {
    // A late answer to an earlier delivery: that one is sent again, and the runner recognizes it.
    if (answer.n === this.#sent?.n && answer.rule === this.#sent.rule) this.#takeAnswer?.(answer);
  }

  /** Resolves when nothing of it runs. */
  async close(): Promise<void> {
    this.#isWanted = false;
    this.#takeAnswer?.(null);
    await this.#running;
  }

  async #run(): Promise<void> {
    const { context } = this.#parts;
    try {
      while (this.#isWanted && this.isOpen) {
        this.#isWanted = false;
        const due = await takeDue(context, this.runnerId);
        if (due === null) continue;
        this.#isWanted = true;
        await this.#deliver(due);
      }
    } catch (err) {
      // The database is away, mostly: the next look does the same.
      context.log.warn({ err, runner: this.runnerId }, 'a webhook could not be sent to a runner');
    }
  }

  async #deliver(due: DueDelivery): Promise<void> {
    const { context } = this.#parts;
    const headers = this.#openHeaders(due);
    if (headers === null) {
      await refuseSend(context, due, 'It was sealed with another SVC_CLOUD_KEY.');
      return;
    }
    const answer = await this.#ask(due, headers);
    // It was not answered: it stays due at the time that was set when it was taken.
    if (answer === null) return;
    const { outcome, reason = null, jobId = null } = answer;
    if (outcome === 'later') await postponeSend(context, due, reason);
    else {
      const isReturned = await settleClaims(context, due, { jobId, reason });
      await (outcome === 'refused'
        ? refuseSend(context, due, reason ?? 'The runner gives no reason.')
        : forgetSend(context, due));
      if (isReturned) this.#parts.onReturned();
    }
  }

  #openHeaders({ teamId, pluginId, hash, headers }: DueDelivery): Record<string, string> | null {
    const text = this.#parts.sealer.open(headers, toHeadersPlace(teamId, pluginId, hash));
    const members = text === null ? null : parseJsonOrNull(text);
    if (!isJsonObject(members)) return null;
    return Object.fromEntries(
      Object.entries(members).map(([name, value]) => [name, String(value)]),
    );
  }

  async #ask(
    { n, rule, pluginId, receivedAt, body }: DueDelivery,
    headers: Record<string, string>,
  ): Promise<ReceivedFrame<'hookAck'> | null> {
    const { clock } = this.#parts.context;
    this.#sent = { n, ...(rule === '' ? {} : { rule }) };
    let cancel = (): void => undefined;
    const acknowledgement = new Promise<ReceivedFrame<'hookAck'> | null>((resolve) => {
      this.#takeAnswer = resolve;
      cancel = clock.at(clock.now() + ANSWER_MS, () => resolve(null));
    });
    try {
      this.#socket.send({
        type: 'hook',
        ...this.#sent,
        pluginId,
        headers,
        receivedAt: receivedAt.getTime(),
        size: body.length,
        body: body.subarray(0, MAX_PART_BYTES),
      });
      for (let from = MAX_PART_BYTES; from < body.length; from += MAX_PART_BYTES) {
        if (!(await this.#socket.hasRoom())) return null;
        this.#socket.send({
          type: 'hookPart',
          n,
          body: body.subarray(from, from + MAX_PART_BYTES),
        });
      }
      return await acknowledgement;
    } finally {
      cancel();
      this.#takeAnswer = null;
      this.#sent = null;
    }
  }
}
