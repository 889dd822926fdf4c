import type { CloudContext } from '../../server/cloudContext.ts';

/** Between two looks at the numbers of the lists that are followed, ms. */
const LOOK_MS = 400;

interface Waiter {
  teamId: string;
  after: number;
  wake(): void;
}

/**
 * Wakes those who follow the list of a team when it has changed, whichever node has stored the change: one statement for
 * all teams that are followed on this node.
 */
export class TeamChanges {
  readonly #context: Pick<CloudContext, 'database' | 'clock' | 'log'>;
  readonly #waiters = new Set<Waiter>();
  #cancel: (() => void) | null = null;
  #isLooking = false;

  constructor(context: Pick<CloudContext, 'database' | 'clock' | 'log'>) {
    this.#context = context;
  }

  /** Resolves when the list has a change after this number, when the time has passed, or when the signal is aborted. */
  wait(teamId: string, after: number, ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    const { clock } = this.#context;
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiters.delete(waiter);
        cancelTimer();
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const waiter: Waiter = { teamId, after, wake };
      const cancelTimer = clock.at(clock.now() + ms, wake);
      signal.addEventListener('abort', wake, { once: true });
      this.#waiters.add(waiter);
      this.#lookLater();
    });
  }

  /** This node has stored a change of the list. */
  poke(teamId: string): void {
    if ([...this.#waiters].some((waiter) => waiter.teamId === teamId)) void this.#look();
  }

  close(): void {
    this.#cancel?.();
    for (const { wake } of [...this.#waiters]) wake();
  }

  #lookLater(): void {
    const { clock } = this.#context;
    this.#cancel ??= clock.at(clock.now() + LOOK_MS, () => {
      this.#cancel = null;
      void this.#look();
    });
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { database, log } = this.#context;
    try {
      const teams = [...new Set([...this.#waiters].map(({ teamId }) => teamId))];
      const rows = await database.sql`
        select id, last_job_change from teams
        where id in (select jsonb_array_elements_text(${JSON.stringify(teams)}::text::jsonb))`;
      const last = new Map(rows.map((row) => [String(row.id), Number(row.last_job_change)]));
      // A team that is gone wakes its readers too, who then find it out.
      for (const { teamId, after, wake } of [...this.#waiters])
        if ((last.get(teamId) ?? Number.POSITIVE_INFINITY) > after && teams.includes(teamId))
          wake();
    } catch (err) {
      log.warn({ err }, 'changes of the lists of jobs could not be read');
    } finally {
      this.#isLooking = false;
      if (this.#waiters.size > 0) this.#lookLater();
    }
  }
}
