import type { MayAct } from '../base/concurrency/mayAct.ts';
import type { Clock } from '../base/time/clock.ts';
import type { RowChange } from '../contract/records/changes.ts';
import type { Tables } from '../contract/records/tables.ts';
import type { TypedRows } from '../kernel/typedRows.ts';
import {
  beginAttempt,
  dropAsObsolete,
  noteFailedChange,
  noteWorking,
  settleAttempt,
} from './attemptRows.ts';
import type { Channel, SendOutcome } from './channels/channel.ts';
import {
  composeMessage,
  type MessageSources,
  omitResolvedItems,
} from './message/composeMessage.ts';
import { GIVE_UP_AFTER_MS } from './rules/planRetry.ts';
import {
  composeChange,
  findOutdatedMessage,
  noteSettledMeanwhile,
  noteShown,
} from './shownMessages.ts';

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
  /** What is removed when the receiver does not exist any more. */
  forget(): RowChange[];
  sources(): MessageSources;
  /** Aborted when the runner stops. */
  signal: AbortSignal;
}

interface Next {
  message: MessageRow;
  /** Not before, epoch ms. */
  at: number;
  /** Whether it was delivered, and has to be changed. */
  isChange: boolean;
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
    this.#sending = this.#act(next, channel).finally(() => {
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
  async awaitIdle(): Promise<void> {
    await this.#sending;
  }

  /** Changes of delivered messages come first: what they say is not true any more. */
  #findNext(): Next | null {
    const { rows, name } = this.#deps;
    const [state] = rows.all('notification_channels', { channel: name });
    const retryAt = state?.retry_at ?? 0;
    const outdatedMessage = findOutdatedMessage(rows, name);
    if (outdatedMessage !== null) return { message: outdatedMessage, at: retryAt, isChange: true };
    const where = { state: 'waiting', channel: name } as const;
    const [message] = rows.all('notification_messages', where, {
      order: ['due_at', 'id'],
      limit: 1,
    });
    if (message === undefined) return null;
    return { message, at: Math.max(message.due_at, retryAt), isChange: false };
  }

  async #act({ message, isChange }: Next, channel: Channel): Promise<void> {
    const { name, rows, clock, log, signal } = this.#deps;
    try {
      if (isChange) await this.#change(message, channel);
      else if (channel.repeats || this.#isStillTrue(message)) await this.#attempt(message, channel);
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
    const canChange =
      outcome.is === 'delivered' && outcome.handle !== undefined && channel.update !== undefined;
    await writeRows([
      ...settleAttempt(begunRow, state, { outcome, repeats, now: clock.now() }),
      ...(canChange ? noteShown(begunRow, notificationMessage.items) : []),
      ...(outcome.is === 'gone' ? this.#deps.forget() : []),
    ]);
    if (!canChange) return;
    const { items } = composeMessage(begunRow, this.#deps.sources());
    const missedRows = noteSettledMeanwhile(rows, begunRow, items);
    if (missedRows.length > 0) await writeRows(missedRows);
  }

  /** Brings a delivered message up to date. A service that refuses it is asked again as for a message. */
  async #change(message: MessageRow, channel: Channel): Promise<void> {
    const { name, rows, writeRows, clock, mayAct, signal, sources } = this.#deps;
    const { handle } = message;
    const change = composeChange(rows, message, composeMessage(message, sources()));
    if (change.message === null || handle === null || channel.update === undefined)
      return writeRows(change.said);
    await mayAct(signal);
    const outcome = this.#screenProblem(await channel.update(change.message, handle, signal));
    const [state] = rows.all('notification_channels', { channel: name });
    if (outcome.is === 'gone') return writeRows([...change.said, ...this.#deps.forget()]);
    const now = clock.now();
    const isOld = now - message.created_at >= GIVE_UP_AFTER_MS;
    await writeRows(
      outcome.is === 'refused' && !outcome.final && !isOld
        ? noteFailedChange(name, state, { outcome, now })
        : [...change.said, ...(outcome.is === 'delivered' ? noteWorking(name, state) : [])],
    );
  }

  /** An answer may repeat the address that it was sent to, which for some channels is a secret. */
  #screenProblem(outcome: SendOutcome): SendOutcome {
    if (outcome.is === 'delivered') return outcome;
    return { ...outcome, problem: this.#deps.sources().screen(outcome.problem) };
  }
}
