import { type ActorRefFrom, createActor, fromPromise } from 'xstate';
import type { Clock } from '../../../base/time/clock.ts';
import type { Forge } from '../../../contract/forge/forge.ts';
import { isRemote, type RemoteForge } from '../../../contract/forge/remoteForge.ts';
import type { WakeRules } from '../../../contract/forge/wakeRules.ts';
import { type ForgeWatchDeps, pollForge } from './pollForge.ts';
import { type PollOutcome, pollerMachine } from '../../../../machines/index.ts';
import { createActorClock } from '../../../base/time/createActorClock.ts';

export interface WatchSettings {
  intervalMs: number;
  rules: WakeRules;
}

export interface PollersDeps extends Omit<ForgeWatchDeps, 'now'> {
  /** Called at each use, since a plugin may be installed meanwhile. */
  forges(): readonly Forge[];
  settingsOf(forge: string): WatchSettings;
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
  #local: LocalWatch | null = null;

  constructor(deps: PollersDeps) {
    this.#deps = deps;
  }

  watchLocal(local: LocalWatch): void {
    this.#local = local;
  }

  start(): void {
    const { settingsOf, clock, random } = this.#deps;
    const local = this.#local === null ? [] : [{ id: this.#local.id, consistencyMs: 0 }];
    const all = [...this.#remote(), ...local];
    for (const forge of all.filter(({ id }) => !this.#actors.has(id))) {
      const { intervalMs } = settingsOf(forge.id);
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
      const { intervalMs } = this.#deps.settingsOf(id);
      actor.send({ type: 'interval.set', intervalMs });
    }
    this.start();
  }

  #remote(): RemoteForge[] {
    return this.#deps.forges().filter(isRemote);
  }

  /** As the forge is now: its plugin may have been replaced, or removed. */
  async #poll(id: string): Promise<PollOutcome> {
    const { clock, settingsOf } = this.#deps;
    if (this.#local?.id === id) {
      await this.#local.look();
      return { notBefore: null };
    }
    const forge = this.#remote().find((one) => one.id === id);
    if (!forge) return { notBefore: null };
    try {
      return await pollForge(
        { ...this.#deps, now: () => clock.now() },
        forge,
        settingsOf(id).rules,
      );
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
