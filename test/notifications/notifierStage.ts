import { createKernel } from '../../src/kernel/kernel.ts';
import type { Kernel, RowChange } from '../../src/contract/records/changes.ts';
import type {
  NotificationRule,
  NotificationSettings,
} from '../../src/contract/schema/runner/notificationSettings.ts';
import type { Channel, SendOutcome } from '../../src/notifications/channels/channel.ts';
import type { NotificationMessage } from '../../src/notifications/message/notificationMessage.ts';
import { Notifier, type NotifierDeps } from '../../src/notifications/notifier.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';
import { memoryStore } from '../support/memoryStore.ts';

/** A channel that a test answers for. */
export class HeldChannel implements Channel {
  readonly sent: NotificationMessage[] = [];
  /** The next answers; then everything is delivered. */
  readonly answers: (SendOutcome | Promise<SendOutcome>)[] = [];
  readonly repeats: boolean;
  /** What each delivered message can be found by; null = it cannot be changed. */
  handle: string | null = null;
  /** Changes of delivered messages. */
  readonly changed: { message: NotificationMessage; handle: string }[] = [];
  readonly changeAnswers: SendOutcome[] = [];

  constructor(repeats: boolean) {
    this.repeats = repeats;
  }

  async send(message: NotificationMessage): Promise<SendOutcome> {
    this.sent.push(message);
    const own: SendOutcome =
      this.handle === null ? { is: 'delivered' } : { is: 'delivered', handle: this.handle };
    return this.answers.shift() ?? own;
  }

  async update(message: NotificationMessage, handle: string): Promise<SendOutcome> {
    this.changed.push({ message, handle });
    return this.changeAnswers.shift() ?? { is: 'delivered' };
  }

  /** Ids of the facts of each message that was sent. */
  get facts(): string[][] {
    return this.sent.map(({ items }) => items.map(({ id }) => id));
  }
}

export const makeRule = (
  channel: string,
  more: Partial<NotificationRule> = {},
): NotificationRule => ({
  channel,
  kinds: ['needs-you', 'broken'],
  repositories: [],
  workflows: [],
  people: [],
  batchSeconds: 30,
  ...more,
});

/** A notifier with a store in memory, a clock that is moved, and the channels `chat` and `hook`. */
export async function openNotifierStage(rules: NotificationRule[] = [makeRule('chat')]) {
  const store = memoryStore();
  const clock = new SimulatedClock(0);
  const kernel: Kernel = createKernel({
    screen: null,
    store: store.durable,
    charts: [],
    ports: {},
    clock,
  });
  await kernel.start();
  const writeRows = async (rows: RowChange[]): Promise<void> => {
    await kernel.submit({ rows });
  };
  const listeners = new Set<() => void>();
  const channels = { chat: new HeldChannel(false), hook: new HeldChannel(true) };
  const settings: NotificationSettings = {
    channels: {
      chat: { type: 'slack', enabled: true, url: 'http://127.0.0.1/' },
      hook: { type: 'webhook', enabled: true, url: 'http://127.0.0.1/' },
    },
    rules,
    report: { every: 'day', at: '08:00', weekday: 'mon', zone: 'UTC' },
  };
  let n = 0;
  const open = (more: Partial<NotifierDeps> = {}) =>
    new Notifier({
      rows: store.rows,
      writeRows,
      onCommit(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      clock,
      nextId: () => String(++n),
      log: { error: () => {}, warn: () => {} },
      mayAct: () => undefined,
      settings: () => settings,
      openChannel: (name) => (name === 'hook' ? channels.hook : channels.chat),
      sources: () => ({
        job: () => null,
        schedule: () => null,
        screen: (text) => text,
        baseUrl: 'http://svc',
      }),
      listReviewers: () => [],
      describeReport: async (days) => `the last ${days} days`,
      ...more,
    });
  return {
    store,
    clock,
    settings,
    ...channels,
    open,
    writeRows,
    /** Reports a commit of a step. */
    commit(): void {
      for (const listener of listeners) listener();
    },
    /** Writes facts that no job can settle. */
    async note(...ids: string[]): Promise<void> {
      await writeRows(
        ids.map((id) => ({
          op: 'put',
          table: 'notification_facts',
          row: {
            id,
            kind: 'broken',
            reason: 'halted',
            job_id: null,
            at: clock.now(),
            text: id,
          },
        })),
      );
      for (const listener of listeners) listener();
    },
    /** Moves the clock, and lets everything run that this begins. */
    async pass(ms: number, step = 500): Promise<void> {
      for (let remaining = ms; remaining > 0; remaining -= step) {
        clock.advance(Math.min(remaining, step));
        for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
      }
    },
    states: () => store.rows.all('notification_messages').map(({ state }) => state),
  };
}
