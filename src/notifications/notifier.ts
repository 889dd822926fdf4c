import type { MayAct } from '../base/concurrency/mayAct.ts';
import type { Clock } from '../base/time/clock.ts';
import { raceDeadline } from '../base/time/waiting.ts';
import type { RowChange } from '../contract/records/changes.ts';
import type { Tables } from '../contract/records/tables.ts';
import type {
  ChannelSettings,
  NotificationSettings,
} from '../contract/schema/runner/notificationSettings.ts';
import type { TypedRows } from '../kernel/typedRows.ts';
import { settleCutOff } from './attemptRows.ts';
import { forgetBrowser } from './push/browserChannels.ts';
import { dropShown } from './shownMessages.ts';
import { ChannelQueue } from './channelQueue.ts';
import type { Channel } from './channels/channel.ts';
import type { MessageSources } from './message/composeMessage.ts';
import { type Fact, type FactSubject, readScheduleName } from './rules/fact.ts';
import { planMessages } from './rules/planMessages.ts';
import { findDueReport } from './rules/findDueReport.ts';
import { GIVE_UP_AFTER_MS } from './rules/planRetry.ts';

/** How long after a commit new facts are looked for, ms: one look for many commits. */
const LOOK_AFTER_MS = 250;
/** How often reports and old messages are looked for, ms. */
const UPKEEP_MS = 60_000;
/** Facts that are put into messages in one commit. */
const MOST_ROUTED = 200;
/** How long settled messages are kept, ms: a week. */
const KEEP_SETTLED_MS = 604_800_000;
/** Most settled messages that are removed in one commit. */
const MOST_REMOVED = 500;
/** Wait before rows are written again that could not be, ms. */
const RETRY_WRITE_MS = 5_000;
/**
 * How long a stop waits beyond its grace for what is being written, ms: no write ends while the control plane of a team
 * is away.
 */
const LAST_WRITE_MS = 1_000;

export interface NotifierDeps {
  rows: TypedRows<Tables>;
  /** Resolves when the rows are durable. */
  writeRows(changes: RowChange[]): Promise<void>;
  /**
   * Called after commits of steps, until the returned function is called. Facts of other commits are found within a
   * minute, or at `wake`.
   */
  onCommit(listener: () => void): () => void;
  clock: Clock;
  nextId(): string;
  log: { error(facts: object, text: string): void; warn(facts: object, text: string): void };
  mayAct: MayAct;
  /** Read again at each use. */
  settings(): NotificationSettings;
  openChannel(name: string, settings: ChannelSettings): Channel;
  /** Read again for each message. */
  sources(): MessageSources;
  /** Who is to review a job. */
  listReviewers(jobId: string): readonly string[];
  /** Text of the report of the last days. */
  describeReport(days: 1 | 7): Promise<string>;
}

/**
 * Delivers notifications. It only reads rows: facts are put into messages by the rules, in one commit
 * with their removal, and each channel sends its messages on its own, so that one that does not work
 * never delays another.
 */
export class Notifier {
  readonly #deps: NotifierDeps;
  readonly #queues = new Map<string, ChannelQueue>();
  /** The settings of each channel, as JSON, that it was last opened with. */
  readonly #tried = new Map<string, string>();
  readonly #stopping = new AbortController();
  /** Changes of messages in sequence: a fact must not join a message whose attempt begins meanwhile. */
  #turn: Promise<unknown> = Promise.resolve();
  #cancelLook: (() => void) | null = null;
  #cancelUpkeep: () => void = () => {};
  #unsubscribe: () => void = () => {};
  #lastReport = '';

  constructor(deps: NotifierDeps) {
    this.#deps = deps;
  }

  /** Settles what a crash has cut off, then delivers what waits and what comes. */
  async start(): Promise<void> {
    const { rows, clock, writeRows, onCommit } = this.#deps;
    const cutOff = rows.all('notification_messages', { state: 'sending' });
    if (cutOff.length > 0) await writeRows(cutOff.map(({ id }) => settleCutOff(id, clock.now())));
    this.#unsubscribe = onCommit(() => this.#lookSoon(LOOK_AFTER_MS));
    await this.#doUpkeep();
  }

  /** The settings have changed: a channel that was repaired is tried now. */
  async settingsChanged(): Promise<void> {
    const { rows, writeRows, settings } = this.#deps;
    const { channels } = settings();
    const repairedChannels = rows
      .all('notification_channels')
      .filter(({ channel, retry_at }) => {
        const text = JSON.stringify(channels[channel]);
        return retry_at !== null && text !== this.#tried.get(channel);
      })
      .map(({ channel }) => channel);
    if (repairedChannels.length > 0)
      await this.#inTurn(() =>
        writeRows(
          repairedChannels.map((channel) => ({
            op: 'patch',
            table: 'notification_channels',
            key: { channel },
            set: { retry_at: null },
          })),
        ),
      );
    this.#lookSoon(0);
  }

  /** Resolves when no attempt runs any more; those that last are ended after `graceMs`, and left a second later. */
  async stop(graceMs: number): Promise<void> {
    this.#unsubscribe();
    this.#cancelLook?.();
    this.#cancelUpkeep();
    for (const queue of this.#queues.values()) queue.close();
    const { clock } = this.#deps;
    const cancel = clock.at(clock.now() + graceMs, () => this.#stopping.abort());
    await raceDeadline(clock, graceMs + LAST_WRITE_MS, this.#becomeIdle(), () => undefined);
    cancel();
    this.#stopping.abort();
  }

  async #becomeIdle(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.awaitIdle()));
    await this.#turn;
  }

  /** Looks for facts now. */
  wake(): void {
    this.#lookSoon(0);
  }

  #lookSoon(ms: number): void {
    if (this.#stopping.signal.aborted || this.#cancelLook !== null) return;
    const { clock, log } = this.#deps;
    this.#cancelLook = clock.at(clock.now() + ms, () => {
      this.#cancelLook = null;
      this.#look().catch((err: unknown) => {
        log.error({ err }, 'notifications could not be written; they are tried again');
        this.#lookSoon(RETRY_WRITE_MS);
      });
    });
  }

  async #look(): Promise<void> {
    let routedCount = MOST_ROUTED;
    while (routedCount === MOST_ROUTED) routedCount = await this.#inTurn(() => this.#routeFacts());
    for (const name of Object.keys(this.#deps.settings().channels)) this.#openQueue(name).look();
  }

  /** Runs one change of messages after the others. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(change);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** Resolves with the number of facts. */
  async #routeFacts(): Promise<number> {
    const { rows, clock, nextId, writeRows } = this.#deps;
    const storedFacts = rows.all('notification_facts', {}, { limit: MOST_ROUTED });
    if (storedFacts.length === 0) return 0;
    const { rules, channels } = this.#deps.settings();
    const facts = storedFacts.map(({ job_id: jobId, ...rest }) => ({
      fact: { ...rest, jobId },
      subject: this.#findSubject({ ...rest, jobId }),
    }));
    const open = rows.all('notification_messages', { state: 'waiting' });
    const changes = planMessages({ facts, rules, channels, open, now: clock.now(), nextId });
    await writeRows(changes);
    return storedFacts.length;
  }

  #findSubject(fact: Fact): FactSubject | null {
    const { jobId } = fact;
    const scheduleName = readScheduleName(fact);
    if (scheduleName !== null) {
      const schedule = this.#deps.sources().schedule(scheduleName);
      return schedule && { ...schedule, people: [] };
    }
    if (jobId === null) return null;
    const [row] = this.#deps.rows.all('job_list', { job_id: jobId });
    if (row === undefined) return null;
    const creators = this.#deps.rows.all('job_creators', { job_id: jobId });
    return {
      repository: row.repo,
      workflow: row.workflow,
      people: [...creators.map(({ person }) => person), ...this.#deps.listReviewers(jobId)],
    };
  }

  #openQueue(name: string): ChannelQueue {
    const knownQueue = this.#queues.get(name);
    if (knownQueue !== undefined) return knownQueue;
    const { rows, writeRows, clock, log, mayAct, sources } = this.#deps;
    const queue = new ChannelQueue({
      name,
      channel: () => this.#openChannel(name),
      rows,
      writeRows: (changes) => this.#inTurn(() => writeRows(changes)),
      clock,
      log,
      mayAct,
      sources,
      forget: () => this.#forget(name),
      signal: this.#stopping.signal,
    });
    this.#queues.set(name, queue);
    return queue;
  }

  /** Of a channel whose receiver is gone, which only a browser can be. */
  #forget(name: string): RowChange[] {
    const { rows, settings } = this.#deps;
    const id = settings().channels[name]?.browser;
    const row = id === undefined ? undefined : rows.one('push_subscriptions', { id });
    return row === undefined ? [] : forgetBrowser(rows, row);
  }

  #openChannel(name: string): Channel | null {
    const settings = this.#deps.settings().channels[name];
    if (settings?.enabled !== true) return null;
    this.#tried.set(name, JSON.stringify(settings));
    return this.#deps.openChannel(name, settings);
  }

  async #doUpkeep(): Promise<void> {
    const { clock, log } = this.#deps;
    if (this.#stopping.signal.aborted) return;
    try {
      await this.#writeReport();
      await this.#inTurn(() => this.#removeOldMessages());
      this.wake();
    } catch (err) {
      log.error({ err }, 'the upkeep of notifications failed; it is tried again');
    }
    this.#cancelUpkeep = clock.at(clock.now() + UPKEEP_MS, () => void this.#doUpkeep());
  }

  /** Writes the fact of a report that is due, once. */
  async #writeReport(): Promise<void> {
    const { clock, rows, writeRows, settings, describeReport } = this.#deps;
    const { rules, report } = settings();
    if (!rules.some(({ kinds }) => kinds.includes('report'))) return;
    const due = findDueReport(clock.now(), report);
    if (due === null || due.id === this.#lastReport) return;
    const isWritten = rows
      .all('notification_messages')
      .some(({ facts }) => facts.includes(JSON.stringify(due.id)));
    if (!isWritten) {
      const row: Tables['notification_facts'] = {
        id: due.id,
        kind: 'report',
        reason: 'report',
        job_id: null,
        at: clock.now(),
        text: await describeReport(due.days),
      };
      await writeRows([{ op: 'put', table: 'notification_facts', row }]);
    }
    this.#lastReport = due.id;
  }

  /** Gives up messages of channels that no longer exist, and removes those that were settled long ago. */
  async #removeOldMessages(): Promise<void> {
    const { rows, clock, writeRows, settings } = this.#deps;
    const now = clock.now();
    const { channels } = settings();
    const shownRows = rows.all('notification_shown');
    const changes = rows
      .all('notification_messages')
      .flatMap(({ id, channel, state, created_at, settled_at }): RowChange[] => {
        if (settled_at !== null && now - settled_at >= KEEP_SETTLED_MS)
          return [
            { op: 'drop', table: 'notification_messages', key: { id } },
            ...dropShown(shownRows.filter(({ message }) => message === id)),
          ];
        const isOrphaned = state === 'waiting' && channels[channel]?.enabled !== true;
        if (!isOrphaned || now - created_at < GIVE_UP_AFTER_MS) return [];
        const error = 'The channel is not configured any more.';
        const set = { state: 'failed' as const, settled_at: now, error };
        return [{ op: 'patch', table: 'notification_messages', key: { id }, set }];
      });
    if (changes.length > 0) await writeRows(changes.slice(0, MOST_REMOVED));
  }
}
