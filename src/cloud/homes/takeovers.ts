import { sha256 } from '../../base/system/ids/ids.ts';
import type { Frame, ReceivedFrame } from '../../contract/channel/frames.ts';
import { createRunnerToken } from '../runners/runnerTokens.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import type { NodeLease } from '../server/nodeLease.ts';
import { chooseAdopter } from './chooseAdopter.ts';
import { readAdopters, readHomes, type ReadHome, REFUSED_MS } from './lostHomes.ts';
import { noteRestore } from './noteRestore.ts';

/** Between two looks for homes whose runner is lost, ms. */
const LOOK_MS = 1_000;
/** How long a runner may take to answer whether it takes over a home, ms. */
export const ANSWER_MS = 10_000;
/** How long it may take to claim it after it could, ms: it has to fetch and replay the log. */
export const CLAIM_MS = 10 * 60_000;

export interface TakeoverSettings {
  /** Silence of a runner after which another one may take its home over, ms. */
  windowMs: number;
  /**
   * How long database and node must have been up, ms. After a start, runners that only lost their node have not had the
   * time to connect again.
   */
  quietMs: number;
}

export interface TakeoverParts {
  context: CloudContext;
  lease: Pick<NodeLease, 'getHeldSince'>;
  settings: TakeoverSettings;
  /** Whether a runner is connected to this node. */
  hasRunner(runnerId: string): boolean;
  send(runnerId: string, frame: Frame<'adopt'>): void;
}

/**
 * Finds homes whose runner is lost, and asks another one of the team to continue each. Every node does so; the runner
 * that all of them choose is asked by the node that has its socket. Only the claim decides who has the home.
 */
export class Takeovers {
  readonly #parts: TakeoverParts;
  #cancel: () => void = () => undefined;
  #pass: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: TakeoverParts) {
    this.#parts = parts;
    this.#lookLater();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#pass;
  }

  /** A runner of this node has answered. */
  takeAnswer(adopterId: string, { homeId, ok, reason = '' }: ReceivedFrame<'adoptAnswer'>): void {
    const { database, log } = this.#parts.context;
    database.sql`
      update adoptions set state = ${ok ? 'accepted' : 'refused'}, reason = ${ok ? null : reason.replaceAll('\0', '')},
        changed_at = clock_timestamp()
      from homes where homes.runner_id = adoptions.runner_id and homes.home_id = ${homeId}
        and adoptions.adopter_id = ${adopterId} and adoptions.state in ('offered', 'accepted')`.catch(
      (err: unknown) => log.warn({ err }, 'the answer to a takeover could not be stored'),
    );
  }

  #lookLater(): void {
    const { clock, log } = this.#parts.context;
    this.#cancel = clock.at(clock.now() + LOOK_MS, () => {
      this.#pass = this.#look()
        .catch((err: unknown) => {
          if (!this.#isClosed) log.warn({ err }, 'lost homes could not be looked for');
        })
        .finally(() => {
          if (!this.#isClosed) this.#lookLater();
        });
    });
  }

  async #look(): Promise<void> {
    const { context, settings } = this.#parts;
    const { sql } = context.database;
    await this.#endOffers();
    await this.#shortenWindows();
    if (!(await this.#isQuiet(settings.quietMs))) return;
    // Its node may have been running meanwhile.
    await noteRestore(context);
    for (const home of await readHomes(sql, null)) {
      const adopters = await readAdopters(sql, home.teamId, home.runnerId);
      const choice = chooseAdopter(home, adopters);
      if (choice.kind === 'offer') await this.#offer(home, choice.runnerId);
    }
  }

  /** Whether what is stored of the presence of runners can be relied on again after a start. */
  async #isQuiet(quietMs: number): Promise<boolean> {
    const { context, lease } = this.#parts;
    const since = lease.getHeldSince();
    if (since === null || context.clock.now() - since < quietMs) return false;
    const [row] = await context.database.sql`
      select pg_postmaster_start_time() < clock_timestamp() - ${quietMs} * interval '1 ms' as is_quiet`;
    return row?.is_quiet === true;
  }

  async #offer(home: ReadHome, adopterId: string): Promise<void> {
    const { context, hasRunner, send } = this.#parts;
    // Where it is connected to another node, that one comes to the same choice.
    if (!hasRunner(adopterId)) return;
    const { database, ids, log } = context;
    const { runnerId, homeId, name, storeVersion, ownerId, ownerName } = home;
    const token = createRunnerToken(runnerId, ids);
    const { count } = await database.confirm(
      () => database.sql`
        insert into adoptions (token_hash, runner_id, adopter_id, state)
        values (${sha256(token)}, ${runnerId}, ${adopterId}, 'offered') on conflict do nothing`,
    );
    if (count === 0) return;
    const owner = ownerId === null ? null : { userId: ownerId, name: ownerName ?? ownerId };
    log.info({ runner: runnerId, adopter: adopterId }, 'a runner is asked to continue a home');
    send(adopterId, { type: 'adopt', homeId, runnerId, name, token, storeVersion, owner });
  }

  /** Offers that were not answered, or that did not lead to a claim, or whose runner has left. */
  async #endOffers(): Promise<void> {
    const { sql } = this.#parts.context.database;
    await sql`
      update adoptions set state = 'refused', changed_at = clock_timestamp(),
        reason = case adoptions.state when 'offered' then 'no answer' else 'no claim' end
      where (state = 'offered' and changed_at < clock_timestamp() - ${ANSWER_MS} * interval '1 ms')
        or (state = 'accepted' and changed_at < clock_timestamp() - ${CLAIM_MS} * interval '1 ms'
          - (select takeover_ms from homes where homes.runner_id = adoptions.runner_id) * interval '1 ms')
        or (state in ('offered', 'accepted') and not exists (
          select from runner_sessions sessions join nodes on nodes.id = sessions.node_id
          where sessions.runner_id = adoptions.adopter_id and sessions.lost_at is null
            and nodes.lease_end > clock_timestamp()))`;
    await sql`
      delete from adoptions where state = 'refused'
        and changed_at < clock_timestamp() - ${2 * REFUSED_MS} * interval '1 ms'`;
  }

  /** A shorter window counts when the runner has been connected for the longer one: it has learned of it by then. */
  async #shortenWindows(): Promise<void> {
    const { context, settings } = this.#parts;
    await context.database.sql`
      update homes set takeover_ms = ${settings.windowMs}
      from runner_sessions sessions join nodes on nodes.id = sessions.node_id
      where sessions.runner_id = homes.runner_id and homes.takeover_ms > ${settings.windowMs}
        and sessions.node_id = ${context.nodeId} and sessions.lost_at is null
        and sessions.connected_at < ${new Date(context.clock.now())}::timestamptz - homes.takeover_ms * interval '1 ms'`;
  }
}
