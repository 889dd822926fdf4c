import type { ReceivedFrame } from '../../channel/frames.ts';
import type { ConnectedRunner } from '../runners/runnerDirectory.ts';
import type { WebhookSocket } from '../runners/webhookLinks.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import type { Sealer } from '../server/sealer.ts';
import { RunnerFeed } from './runnerFeed.ts';
import { makeDue } from './sendRows.ts';
import { expireClaims, returnClaimsOfRevoked } from './settleClaims.ts';

/** Between two looks for what other nodes have stored, ms. */
const LOOK_MS = 400;
/** Between two cleanups, ms, and how long deliveries are kept, ms. */
const CLEANUP_MS = 60_000;
export const DELIVERY_MS = 7 * 24 * 3_600_000;
/** Most deliveries that one statement removes. */
const CLEANUP_ROWS = 500;

/** Brings deliveries to the runners that are connected to this node. */
export class Deliverer {
  readonly #context: CloudContext;
  readonly #sealer: Sealer;
  readonly #feeds = new Map<string, { teamId: string; feed: RunnerFeed }>();
  #cancelLook: () => void;
  #cancelCleanup: () => void = () => undefined;
  #looking: Promise<void> | null = null;
  #cleaning: Promise<void> | null = null;
  #isClosed = false;

  constructor(context: CloudContext, sealer: Sealer) {
    this.#context = context;
    this.#sealer = sealer;
    this.#cancelLook = this.#lookLater();
    this.#cleanupLater();
  }

  /** A runner has connected to this node, and understands webhooks. */
  async attach({ teamId, runnerId }: ConnectedRunner, socket: WebhookSocket): Promise<void> {
    const parts = {
      context: this.#context,
      sealer: this.#sealer,
      onReturned: () => this.wakeAll(),
    };
    const before = this.#feeds.get(runnerId);
    const feed = new RunnerFeed(runnerId, socket, parts);
    this.#feeds.set(runnerId, { teamId, feed });
    await before?.feed.close();
    try {
      await makeDue(this.#context, runnerId);
    } catch (err) {
      this.#context.log.warn({ err, runner: runnerId }, 'webhooks of a runner wait for their time');
    }
    feed.wake();
  }

  detach({ runnerId }: ConnectedRunner, socket: WebhookSocket): void {
    const found = this.#feeds.get(runnerId)?.feed;
    if (found === undefined || found.isOpen || socket.isOpen) return;
    this.#feeds.delete(runnerId);
    void found.close();
  }

  take({ runnerId }: ConnectedRunner, frame: ReceivedFrame<'hookAck'>): void {
    this.#feeds.get(runnerId)?.feed.take(frame);
  }

  /** A delivery of the team was stored by this node. */
  wake(teamId: string): void {
    for (const { teamId: own, feed } of this.#feeds.values()) if (own === teamId) feed.wake();
  }

  wakeAll(): void {
    for (const { feed } of this.#feeds.values()) feed.wake();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelLook();
    this.#cancelCleanup();
    await Promise.allSettled([
      this.#looking,
      this.#cleaning,
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
      const here = JSON.stringify([...this.#feeds.keys()]);
      const due = await database.sql`
        select distinct runner_id from webhook_sends
        where next_at <= ${new Date(clock.now())}
          and runner_id in (select jsonb_array_elements_text(${here}::text::jsonb))`;
      for (const { runner_id: runnerId } of due) this.#feeds.get(runnerId)?.feed.wake();
    } catch (err) {
      log.warn({ err }, 'webhooks that wait could not be read');
    }
  }

  #cleanupLater(): void {
    const { clock } = this.#context;
    this.#cancelCleanup = clock.at(clock.now() + CLEANUP_MS, () => {
      this.#cleaning = this.#cleanUp().finally(() => {
        if (!this.#isClosed) this.#cleanupLater();
      });
    });
  }

  async #cleanUp(): Promise<void> {
    const { database, clock, log } = this.#context;
    const before = new Date(clock.now() - DELIVERY_MS);
    try {
      if (await returnClaimsOfRevoked(this.#context)) this.wakeAll();
      await expireClaims(this.#context);
      for (let count = CLEANUP_ROWS; count === CLEANUP_ROWS && !this.#isClosed; ) {
        ({ count } = await database.sql`
          delete from webhook_deliveries where n in (
            select n from webhook_deliveries where received_at < ${before} order by received_at limit ${CLEANUP_ROWS})`);
      }
      // What a job came from is asked for as long as a copy of the delivery may come.
      await database.sql`
        delete from webhook_claims where changed_at < ${before} and state <> 'made'`;
      await database.sql`
        delete from webhook_claims claims where changed_at < ${before} and not exists (
          select from jobs where jobs.team_id = claims.team_id and jobs.runner_id = claims.runner_id
            and jobs.job_id = claims.job_id and not coalesce((jobs.summary ->> 'ended')::bool, false))`;
    } catch (err) {
      log.warn({ err }, 'old webhooks could not be removed');
    }
  }
}
