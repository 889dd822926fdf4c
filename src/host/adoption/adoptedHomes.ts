import { FENCED_EXIT_CODE } from '../../base/errors/cloudExitCodes.ts';
import { sleep } from '../../base/time/waiting.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Ids } from '../../base/system/ids/ids.ts';
import { makeFolder } from '../../base/system/files/makeFolder.ts';
import type { AdoptedHome, AdoptedJob } from '../../contract/schema/runner/cloudStatus.ts';
import type { ChildRunner } from '../upgrade/childRunner.ts';
import {
  type Adoption,
  isHomeId,
  listAdoptions,
  removeOldAdoptions,
  saveAdoption,
  toAdoptedHome,
} from './adoptionRecord.ts';

/** What the control plane offers. */
export interface OfferedHome {
  homeId: string;
  runnerId: string;
  name: string;
  token: string;
  storeVersion: number;
  /** null = a runner of the pool. */
  owner: { userId: string; name: string } | null;
}

export type AdoptAnswer = { ok: true } | { ok: false; reason: string };

export interface AdoptedHomesOptions {
  home: string;
  /** How many homes may be continued at the same time. */
  slots(): number;
  /** Newest schema that this program knows. */
  storeVersion: number;
  /** Why jobs of a runner with this owner do not run here; null = they do. */
  refuse(owner: OfferedHome['owner']): string | null;
  /**
   * Writes the configuration of the home's process; `token` null = the one that it has, which the
   * control plane may have replaced since.
   */
  furnish(adoption: Adoption, adoptedHome: string, token: string | null): Promise<void>;
  start(adoptedHome: string, homeId: string): Promise<ChildRunner>;
  /** Called when the list, or the number of free slots, has changed. */
  onChange(): void;
  clock: Clock;
  ids: Ids;
  log: {
    info(facts: object, text: string): void;
    warn(facts: object, text: string): void;
  };
}

/** Waits before a process that has died is started again, ms; then it is left to another runner. */
const RESTART_MS = [1_000, 5_000, 15_000, 60_000];
/** A process that has worked for so long begins again with the first wait, ms. */
const GOOD_AFTER_MS = 300_000;

interface HeldAdoption {
  adoption: Adoption;
  child: ChildRunner | null;
  url: string | null;
  jobs: readonly AdoptedJob[];
  /** Its work here is over: its jobs have ended, or another runner continues it. */
  isOver: boolean;
  done: Promise<void>;
}

/**
 * The homes of lost runners that this one continues: each in a process of its own, in a folder of
 * its own, until its jobs have ended. A process that dies is started again, also with this runner
 * after a crash.
 */
export class AdoptedHomes {
  readonly #options: AdoptedHomesOptions;
  readonly #held = new Map<string, HeldAdoption>();
  readonly #stop = new AbortController();
  #handsOver = false;

  constructor(options: AdoptedHomesOptions) {
    this.#options = options;
  }

  /** How many homes more could be continued. */
  get free(): number {
    return this.#stop.signal.aborted ? 0 : Math.max(0, this.#options.slots() - this.#held.size);
  }

  list(): AdoptedHome[] {
    return [...this.#held.values()].map(({ adoption, url, jobs }) => ({
      homeId: adoption.homeId,
      runner: { id: adoption.runnerId, name: adoption.name },
      since: new Date(adoption.since).toISOString(),
      url,
      jobs: [...jobs],
    }));
  }

  /** Continues the homes that this runner had when it ended; removes old folders. Never rejects. */
  async resume(): Promise<void> {
    const { home, clock, log } = this.#options;
    try {
      await removeOldAdoptions(home, clock.now());
      for (const adoption of await listAdoptions(home))
        if (adoption.endedAt === null) this.#hold(adoption, null);
    } catch (err) {
      log.warn({ err }, 'the folders of continued homes could not be read');
    }
  }

  /** The answer to an offer; the home's process starts after it. Never rejects. */
  async adopt(offer: OfferedHome): Promise<AdoptAnswer> {
    const refusal = this.#refuse(offer);
    if (refusal !== null) return { ok: false, reason: refusal };
    const { homeId, runnerId, name, token } = offer;
    const { home, clock, ids, log } = this.#options;
    const heldHome = this.#held.get(homeId);
    const since = heldHome?.adoption.since ?? clock.now();
    const adoption = { homeId, runnerId, name, since, endedAt: null };
    try {
      await makeFolder(toAdoptedHome(home, homeId), 0o700);
      await saveAdoption(home, adoption, ids);
      await this.#options.furnish(adoption, toAdoptedHome(home, homeId), token);
    } catch (err) {
      log.warn({ err, homeId }, 'the home of a lost runner cannot be continued here');
      return { ok: false, reason: 'The folder for it cannot be written.' };
    }
    // The same offer again, as after a lost answer: its token counts from now on.
    if (heldHome !== undefined) {
      heldHome.child?.say({ type: 'release' });
      return { ok: true };
    }
    log.info({ homeId, runner: name }, 'this runner continues the home of a lost one');
    this.#hold(adoption, token);
    return { ok: true };
  }

  /** The runner stops. `handsOver`: another runner may continue the homes at once. */
  async close(handsOver: boolean): Promise<void> {
    this.#handsOver = handsOver;
    this.#stop.abort();
    for (const { child } of this.#held.values())
      child?.say({ type: 'release', ...(handsOver ? { handOver: true } : {}) });
    await Promise.all([...this.#held.values()].map(({ done }) => done));
  }

  #refuse({ homeId, storeVersion, owner }: OfferedHome): string | null {
    const { storeVersion: own, refuse } = this.#options;
    if (!isHomeId(homeId)) return 'The id of the home is not valid.';
    if (this.#stop.signal.aborted) return 'This runner is stopping.';
    if (storeVersion > own)
      return `Its state has version ${storeVersion}; this svc reads up to ${own}.`;
    const refusal = refuse(owner);
    if (refusal !== null) return refusal;
    return this.free === 0 && !this.#held.has(homeId)
      ? 'This runner continues as many homes as cloud.adoptSlots allows.'
      : null;
  }

  #hold(adoption: Adoption, token: string | null): void {
    const home: HeldAdoption = {
      adoption,
      child: null,
      url: null,
      jobs: [],
      isOver: false,
      done: Promise.resolve(),
    };
    this.#held.set(adoption.homeId, home);
    home.done = this.#keep(home, token).finally(() => {
      this.#held.delete(adoption.homeId);
      this.#options.onChange();
    });
    this.#options.onChange();
  }

  /** Runs the process of a home until its work is over, or this runner stops. Never rejects. */
  async #keep(heldHome: HeldAdoption, token: string | null): Promise<void> {
    const { clock, log, home, ids } = this.#options;
    const { homeId } = heldHome.adoption;
    let deaths = 0;
    let furnishedWith = token;
    while (!this.#stop.signal.aborted) {
      const startedAt = clock.now();
      const code = await this.#run(heldHome, furnishedWith).catch((err: unknown) => {
        log.warn({ err, homeId }, 'the process of a continued home could not be started');
        return null;
      });
      furnishedWith = null;
      // Fenced: its own machine, or another one, has the home.
      if (heldHome.isOver || code === FENCED_EXIT_CODE) break;
      if (this.#stop.signal.aborted) {
        // What was handed over has another runner soon; anything else continues with the next start.
        if (this.#handsOver) break;
        return;
      }
      if (clock.now() - startedAt >= GOOD_AFTER_MS) deaths = 0;
      const wait = RESTART_MS[deaths];
      deaths += 1;
      log.warn({ homeId, code, againInMs: wait }, 'the process of a continued home has ended');
      if (wait === undefined) break;
      await sleep(clock, wait, this.#stop.signal);
    }
    const endedAdoption = { ...heldHome.adoption, endedAt: clock.now() };
    await saveAdoption(home, endedAdoption, ids).catch((err: unknown) =>
      log.warn({ err, homeId }, 'the end of a continued home could not be noted'),
    );
    log.info(
      { homeId, runner: heldHome.adoption.name },
      'this runner no longer continues the home',
    );
  }

  /** One process; resolves with its exit code. */
  async #run(heldHome: HeldAdoption, token: string | null): Promise<number> {
    const { home, furnish, start, log } = this.#options;
    const { homeId } = heldHome.adoption;
    const adoptedHome = toAdoptedHome(home, homeId);
    await furnish(heldHome.adoption, adoptedHome, token);
    const child = await start(adoptedHome, homeId);
    heldHome.child = child;
    child.onWaiting((reason) => log.info({ homeId, reason }, 'the process of a home waits'));
    child.onJobs((jobs) => {
      heldHome.jobs = jobs;
      this.#options.onChange();
    });
    child.onOver(() => {
      heldHome.isOver = true;
    });
    const serve = async () => {
      await child.ready;
      child.say({ type: 'go', port: 0 });
      heldHome.url = await child.serving;
      child.say({ type: 'confirmed' });
      this.#options.onChange();
    };
    serve().catch((err: unknown) => log.warn({ err, homeId }, 'a continued home did not start'));
    // It was not there yet when this runner began to stop.
    if (this.#stop.signal.aborted)
      child.say({ type: 'release', ...(this.#handsOver ? { handOver: true } : {}) });
    const code = await child.ended;
    heldHome.child = null;
    heldHome.url = null;
    return code;
  }
}
