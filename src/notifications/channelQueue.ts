import type { MayAct } from '../base/concurrency/mayAct.ts';
import type { Clock } from '../base/time/clock.ts';
import type { RowChange } from '../contract/records/changes.ts';
import type { Tables } from '../contract/records/tables.ts';
import type { TypedRows } from '../kernel/typedRows.ts';
import { beginAttempt, dropAsObsolete, settleAttempt } from './attemptRows.ts';
import type { Channel, SendOutcome } from './channels/channel.ts';
import {
  composeMessage,
  type MessageSources,
  omitResolvedItems,
} from './message/composeMessage.ts';

/** Wait before another attempt where rows could not be written, ms. */
const RETRY_WRITE_MS = 5_000;

type MessageRow = Tables['notification_messages'];

interface ChannelQueueDeps {
  name: string;
  /** The channel as it is configured now; null = it is not, or is disabled. */
  channel(): Channel | null;
  rows: TypedRows<Tables>;
  /** Resolves when the rows are durable. */
  writeRows(changes: RowChange[]): Promise<void>;
  clock: Clock;
  log: { error(facts: object, text: string): void; warn(facts: object, text: string): void };
  mayAct: MayAct;
  sources(): MessageSources;
  /** Aborted when the runner stops. */
  signal: AbortSignal;
}

/** Sends the messages of one channel, one at a time, the longest due first. */
export class ChannelQueue {
  readonly #deps: ChannelQueueDeps;
  #sending: Promise<void> | null = null;
  #cancelTimer: () => void = () => {};
  #isClosed = false;

  constructor(deps: ChannelQueueDeps) {
    this.#deps = deps;
  }

  /** Sends what is due, and sets a timer for what is due next. */
  look(): void {
    if (this.#isClosed || this.#sending !== null) return;
    this.#cancelTimer();
    const { clock } = this.#deps;
    const next = this.#findNext();
    const channel = this.#deps.channel();
    if (next === null || channel === null) return;
    if (next.at > clock.now()) {
      this.#cancelTimer = clock.at(next.at, () => this.look());
      return;
    }
    this.#sending = this.#send(next.message, channel).finally(() => {
      this.#sending = null;
      this.look();
    });
  }

  /** No further message is sent. */
  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
  }

  /** Resolves when no attempt runs. */
  async idle(): Promise<void> {
    await this.#sending;
  }

  #findNext(): { message: MessageRow; at: number } | null {
    const { rows, name } = this.#deps;
    const where = { state: 'waiting', channel: name } as const;
    const [message] = rows.all('notification_messages', where, {
      order: ['due_at', 'id'],
      limit: 1,
    });
    if (message === undefined) return null;
    const [state] = rows.all('notification_channels', { channel: name });
    return { message, at: Math.max(message.due_at, state?.retry_at ?? 0) };
  }

  async #send(message: MessageRow, channel: Channel): Promise<void> {
    const { name, rows, clock, log, signal } = this.#deps;
    try {
      if (channel.repeats || this.#isStillTrue(message)) await this.#attempt(message, channel);
      else await this.#deps.writeRows([dropAsObsolete(message.id, clock.now())]);
      const [state] = rows.all('notification_channels', { channel: name });
      if (state?.failures === 1)
        log.warn(
          { channel: name, problem: state.error },
          'a notification could not be delivered; svc notify shows the channel',
        );
    } catch (err) {
      if (signal.aborted) return;
      log.error({ err, channel: name }, 'a notification could not be sent; it is tried again');
      await new Promise<void>((resolve) => {
        const cancel = clock.at(clock.now() + RETRY_WRITE_MS, resolve);
        signal.addEventListener('abort', () => {
          cancel();
          resolve();
        });
      });
    }
  }

  /** Whether something in it was not settled meanwhile. */
  #isStillTrue(message: MessageRow): boolean {
    return omitResolvedItems(composeMessage(message, this.#deps.sources())) !== null;
  }

  async #attempt(message: MessageRow, channel: Channel): Promise<void> {
    const { name, rows, writeRows, clock, mayAct, signal } = this.#deps;
    const { id } = message;
    const { repeats } = channel;
    await writeRows([beginAttempt(message, repeats)]);
    await mayAct(signal);
    // Facts may have joined it until the attempt began.
    const begunRow = rows.one('notification_messages', { id }) ?? message;
    const composedMessage = composeMessage(begunRow, this.#deps.sources());
    const notificationMessage = repeats
      ? composedMessage
      : (omitResolvedItems(composedMessage) ?? composedMessage);
    const outcome = this.#screenProblem(await channel.send(notificationMessage, signal));
    const [state] = rows.all('notification_channels', { channel: name });
    await writeRows(settleAttempt(begunRow, state, { outcome, repeats, now: clock.now() }));
  }

  /** An answer may repeat the address that it was sent to, which for some channels is a secret. */
  #screenProblem(outcome: SendOutcome): SendOutcome {
    if (outcome.is === 'delivered') return outcome;
    return { ...outcome, problem: this.#deps.sources().screen(outcome.problem) };
  }
}
