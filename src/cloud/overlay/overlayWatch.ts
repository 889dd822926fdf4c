import type { ConnectedRunner } from '../runners/runnerDirectory.ts';
import type { CloudContext } from '../server/cloudContext.ts';

/** Between two looks at the numbers of the teams whose runners are connected here, ms. */
const LOOK_MS = 1_000;

/** The sockets of this node's runners. */
export interface OverlaySockets {
  listConnected(): ConnectedRunner[];
  sendOverlay(runnerId: string, change: number): void;
}

/**
 * Notifies the runners of this node when the overlay of their team, or a proposal for it, has changed, whichever node
 * has stored the change: one statement for all teams.
 */
export class OverlayWatch {
  readonly #context: Pick<CloudContext, 'database' | 'clock' | 'log'>;
  readonly #sockets: OverlaySockets;
  /** The change that each runner was notified of last. */
  readonly #seen = new Map<string, number>();
  #cancel: () => void = () => undefined;
  #isLooking = false;
  #isClosed = false;

  constructor(context: Pick<CloudContext, 'database' | 'clock' | 'log'>, sockets: OverlaySockets) {
    this.#context = context;
    this.#sockets = sockets;
    this.#lookLater();
  }

  /** This node has stored a change. */
  poke(): void {
    void this.#look();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  #lookLater(): void {
    const { clock } = this.#context;
    this.#cancel();
    if (!this.#isClosed)
      this.#cancel = clock.at(clock.now() + LOOK_MS, () => {
        void this.#look();
      });
  }

  async #look(): Promise<void> {
    if (this.#isLooking || this.#isClosed) return;
    this.#isLooking = true;
    const { database, log } = this.#context;
    try {
      const runners = this.#sockets.listConnected();
      const teams = [...new Set(runners.map(({ teamId }) => teamId))];
      this.#forgetOthers(new Set(runners.map(({ runnerId }) => runnerId)));
      if (teams.length === 0) return;
      const rows = await database.sql`
        select id, last_overlay_change from teams
        where id in (select jsonb_array_elements_text(${JSON.stringify(teams)}::text::jsonb))`;
      const changes = new Map(rows.map((row) => [String(row.id), Number(row.last_overlay_change)]));
      for (const { runnerId, teamId } of runners) this.#notify(runnerId, changes.get(teamId));
    } catch (err) {
      log.warn({ err }, 'changes of the overlays of teams could not be read');
    } finally {
      this.#isLooking = false;
      this.#lookLater();
    }
  }

  #forgetOthers(connectedIds: ReadonlySet<string>): void {
    for (const runnerId of this.#seen.keys())
      if (!connectedIds.has(runnerId)) this.#seen.delete(runnerId);
  }

  /** A runner that has just connected is notified too: what changed meanwhile may have been sent to its last socket. */
  #notify(runnerId: string, change: number | undefined): void {
    if (change === undefined || this.#seen.get(runnerId) === change) return;
    this.#seen.set(runnerId, change);
    this.#sockets.sendOverlay(runnerId, change);
  }
}
