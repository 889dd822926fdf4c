import { createActor, fromPromise, type ActorRefFrom } from 'xstate';
import type { Clock } from '../../../base/time/clock.ts';
import type { Forge, PrAddress } from '../../../contract/forge/forge.ts';
import { isRemote, type RemoteForge } from '../../../contract/forge/remoteForge.ts';
import type { WakeRules } from '../../../contract/forge/hook.ts';
import { ForgeAbsences } from './forgeAbsences.ts';
import { pollForge, type ForgeWatchDeps } from './pollForge.ts';
import { pollerMachine, type PollOutcome } from '../../../../machines/index.ts';
import { createActorClock } from '../../../base/time/createActorClock.ts';
import type { WatchedPrReader } from '../../../jobs/store/queries/watchedPrReader.ts';

/** Most pull requests that one poll of a forge asks about; where more are watched, polls take turns. */
const MOST_POLLED = 5_000;

/**
 * Picks the pull requests of a forge that the next poll asks about: all that are watched or, where
 * there are too many for one poll, those after the ones of the poll before.
 */
export function createPollTurns(
  prs: Pick<WatchedPrReader, 'page'>,
  most = MOST_POLLED,
): (forge: string) => PrAddress[] {
  const last = new Map<string, PrAddress>();
  return (forge) => {
    const after = last.get(forge) ?? null;
    const following = prs.page(forge, after, most);
    const page = following.length === 0 && after !== null ? prs.page(forge, null, most) : following;
    const end = page.length === most ? page.at(-1) : undefined;
    if (end) last.set(forge, end);
    else last.delete(forge);
    return page;
  };
}

export interface WatchSettings {
  intervalMs: number;
  rules: WakeRules;
}

export interface PollersDeps extends Omit<ForgeWatchDeps, 'now'> {
  /** Called at each use, since a plugin may be installed meanwhile. */
  forges(): readonly Forge[];
  readSettings(forge: string): WatchSettings;
  clock: Clock;
  random(): number;
}

/** The local forge, whose branches people move with git. */
interface LocalWatch {
  id: string;
  look(): Promise<void>;
}

export class Pollers {
  readonly #deps: PollersDeps;
  #actors = new Map<string, ActorRefFrom<ReturnType<typeof pollerMachine>>>();
  readonly #polls = new Map<string, number>();
  readonly #absences = new ForgeAbsences();
  #local: LocalWatch | null = null;

  constructor(deps: PollersDeps) {
    this.#deps = deps;
  }

  watchLocal(local: LocalWatch): void {
    this.#local = local;
  }

  start(): void {
    const { readSettings, clock, random } = this.#deps;
    const local = this.#local === null ? [] : [{ id: this.#local.id, consistencyMs: 0 }];
    const all = [...this.#remote(), ...local];
    for (const forge of all.filter(({ id }) => !this.#actors.has(id))) {
      const { intervalMs } = readSettings(forge.id);
      const machine = pollerMachine().provide({
        actors: { poll: fromPromise(() => this.#poll(forge.id)) },
      });
      const actor = createActor(machine, {
        id: `poller:${forge.id}`,
        clock: createActorClock(clock),
        input: { intervalMs, settleMs: forge.consistencyMs, random, now: () => clock.now() },
      });
      this.#actors.set(forge.id, actor);
      actor.start();
    }
  }

  takeUp(): void {
    for (const [id, actor] of this.#actors) {
      const { intervalMs } = this.#deps.readSettings(id);
      actor.send({ type: 'interval.set', intervalMs });
    }
    this.start();
  }

  #remote(): RemoteForge[] {
    return this.#deps.forges().filter(isRemote);
  }

  /** As the forge is now: its plugin may have been replaced, or removed. */
  async #poll(id: string): Promise<PollOutcome> {
    const { clock, readSettings } = this.#deps;
    if (this.#local?.id === id) {
      await this.#local.look();
      return { notBefore: null };
    }
    const forge = this.#remote().find((one) => one.id === id);
    if (!forge) return { notBefore: null };
    try {
      const outcome = await pollForge(
        { ...this.#deps, now: () => clock.now() },
        forge,
        readSettings(id).rules,
      );
      this.#absences.answered(id);
      return outcome;
    } catch (error) {
      const change = this.#absences.failed(id, error, clock.now());
      if (change !== null) await this.#deps.kernel.submit({ rows: [change] });
      throw error;
    } finally {
      this.#polls.set(id, this.polls(id) + 1);
    }
  }

  /** How often the forge was asked for news, with or without an answer. */
  polls(id: string): number {
    return this.#polls.get(id) ?? 0;
  }

  /** Asks one forge now, where it is not being asked. */
  nudge(forge: string): void {
    this.#actors.get(forge)?.send({ type: 'poll.now' });
  }

  stop(): void {
    for (const actor of this.#actors.values()) actor.stop();
    this.#actors.clear();
  }
}
