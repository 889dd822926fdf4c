import type { ReceivedFrame } from '../../contract/channel/frames.ts';
import type { ConnectedRunner } from '../runners/runnerDirectory.ts';
import type { WebhookSocket } from '../runners/webhookLinks.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import type { Sealer } from '../server/sealer.ts';
import { listSenders } from './listSenders.ts';
import { RunnerFeed } from './runnerFeed.ts';
import { makeDue } from './sendRows.ts';
import { expireClaims, returnClaimsOfRevoked } from './settleClaims.ts';

/** Between two looks for what other nodes have stored, ms. */
const LOOK_MS = 400;
/** Between two looks for claims that no runner will use, and for senders that another node has added or removed, ms. */
const SETTLE_MS = 60_000;

/** A runner that is connected to this node. */
interface FedRunner {
  teamId: string;
  feed: RunnerFeed;
  socket: WebhookSocket;
  /** The senders that it knows of, as JSON; null = none yet. */
  senders: string | null;
}

/** Brings deliveries to the runners that are connected to this node. */
export class Deliverer {
  readonly #context: CloudContext;
  readonly #sealer: Sealer;
  readonly #feeds = new Map<string, FedRunner>();
  #cancelLook: () => void;
  #cancelSettling: () => void = () => undefined;
  #looking: Promise<void> | null = null;
  #settling: Promise<void> | null = null;
  #isClosed = false;

  constructor(context: CloudContext, sealer: Sealer) {
    this.#context = context;
    this.#sealer = sealer;
    this.#cancelLook = this.#lookLater();
    this.#settleLater();
  }

  /** A runner has connected to this node, and understands webhooks. */
  async attach({ teamId, runnerId }: ConnectedRunner, socket: WebhookSocket): Promise<void> {
    const parts = {
      context: this.#context,
      sealer: this.#sealer,
      onReturned: () => this.wakeAll(),
    };
    const earlierRunner = this.#feeds.get(runnerId);
    const feed = new RunnerFeed(runnerId, socket, parts);
    this.#feeds.set(runnerId, { teamId, feed, socket, senders: null });
    await earlierRunner?.feed.close();
    try {
      await this.nameSenders(teamId);
      await makeDue(this.#context, runnerId);
    } catch (err) {
      this.#context.log.warn({ err, runner: runnerId }, 'webhooks of a runner wait for their time');
    }
    feed.wake();
  }

  detach({ runnerId }: ConnectedRunner, socket: WebhookSocket): void {
    const runnerFeed = this.#feeds.get(runnerId)?.feed;
    if (runnerFeed === undefined || runnerFeed.isOpen || socket.isOpen) return;
    this.#feeds.delete(runnerId);
    void runnerFeed.close();
  }

  take({ runnerId }: ConnectedRunner, frame: ReceivedFrame<'hookAck'>): void {
    this.#feeds.get(runnerId)?.feed.take(frame);
  }

  /** A delivery of the team was stored by this node. */
  wake(teamId: string): void {
    for (const { teamId: own, feed } of this.#feeds.values()) if (own === teamId) feed.wake();
  }

  /** Tells the runners of a team whose webhooks it takes, where they know something else. */
  async nameSenders(teamId: string): Promise<void> {
    const plugins = await listSenders(this.#context.database.sql, teamId);
    const senders = JSON.stringify(plugins);
    for (const feed of this.#feeds.values()) {
      if (feed.teamId !== teamId || feed.senders === senders) continue;
      feed.senders = senders;
      feed.socket.send({ type: 'senders', plugins });
    }
  }

  wakeAll(): void {
    for (const { feed } of this.#feeds.values()) feed.wake();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelLook();
    this.#cancelSettling();
    await Promise.allSettled([
      this.#looking,
      this.#settling,
      ...[...this.#feeds.values()].map(({ feed }) => feed.close()),
    ]);
  }

  #lookLater(): () => void {
    const { clock } = this.#context;
    return clock.at(clock.now() + LOOK_MS, () => {
      this.#looking = this.#look().finally(() => {
        if (!this.#isClosed) this.#cancelLook = this.#lookLater();
      });
    });
  }

  async #look(): Promise<void> {
    if (this.#feeds.size === 0) return;
    const { database, clock, log } = this.#context;
    try {
      const runnerIds = JSON.stringify([...this.#feeds.keys()]);
      const dueRows = await database.sql`
        select distinct runner_id from webhook_sends
        where next_at <= ${new Date(clock.now())}
          and runner_id in (select jsonb_array_elements_text(${runnerIds}::text::jsonb))`;
      for (const { runner_id: runnerId } of dueRows) this.#feeds.get(runnerId)?.feed.wake();
    } catch (err) {
      log.warn({ err }, 'webhooks that wait could not be read');
    }
  }

  #settleLater(): void {
    const { clock } = this.#context;
    this.#cancelSettling = clock.at(clock.now() + SETTLE_MS, () => {
      this.#settling = this.#settle().finally(() => {
        if (!this.#isClosed) this.#settleLater();
      });
    });
  }

  async #settle(): Promise<void> {
    try {
      if (await returnClaimsOfRevoked(this.#context)) this.wakeAll();
      await expireClaims(this.#context);
      for (const teamId of new Set([...this.#feeds.values()].map((feed) => feed.teamId)))
        await this.nameSenders(teamId);
    } catch (err) {
      this.#context.log.warn({ err }, 'claims of rules could not be given up');
    }
  }
}
