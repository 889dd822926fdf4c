import { type ActorRefFrom, createActor, fromPromise } from 'xstate';
import type { Clock } from '../../lib/clock.ts';
import type { Forge } from '../../contract/forge.ts';
import { isRemote } from '../../contract/remoteForge.ts';
import type { WakeRules } from '../../contract/wakeRules.ts';
import { type ForgeWatchDeps, pollForge } from './forgeWatch.ts';
import { pollerMachine } from '../../../machines/index.ts';
import { actorClock } from './actorClock.ts';

/** How a forge is watched. */
export interface WatchSettings {
  intervalMs: number;
  rules: WakeRules;
}

export interface PollersDeps extends Omit<ForgeWatchDeps, 'now'> {
  forges: readonly Forge[];
  settingsOf(forge: string): WatchSettings;
  clock: Clock;
  random(): number;
}

/** The pollers of all remote forges. */
export class Pollers {
  readonly #deps: PollersDeps;
  #actors = new Map<string, ActorRefFrom<typeof pollerMachine>>();

  constructor(deps: PollersDeps) {
    this.#deps = deps;
  }

  /**
   * Polls every remote forge immediately, to find what happened while the runner was not polling.
   */
  start(): void {
    const { forges, settingsOf, clock, random } = this.#deps;
    for (const forge of forges.filter(isRemote)) {
      const { intervalMs, rules } = settingsOf(forge.id);
      const machine = pollerMachine.provide({
        actors: {
          poll: fromPromise(() =>
            pollForge({ ...this.#deps, now: () => clock.now() }, forge, rules),
          ),
        },
      });
      const actor = createActor(machine, {
        id: `poller:${forge.id}`,
        clock: actorClock(clock),
        input: { intervalMs, settleMs: forge.consistencyMs, random, now: () => clock.now() },
      });
      this.#actors.set(forge.id, actor);
      actor.start();
    }
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
