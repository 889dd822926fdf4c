import type { CloudContext } from '../server/cloudContext.ts';
import { saveBeats } from './runnerRows.ts';
import type { RunnerSession } from './runnerSession.ts';

/** How long beats are collected before they are stored, ms. */
const COLLECT_MS = 1_000;

/** Stores what runners say of their load, many of them in one statement. */
export class BeatStore {
  readonly #context: CloudContext;
  readonly #sessions = new Map<string, RunnerSession>();
  #cancel: (() => void) | null = null;

  constructor(context: CloudContext) {
    this.#context = context;
  }

  add(session: RunnerSession): void {
    const { clock } = this.#context;
    this.#sessions.set(session.id, session);
    this.#cancel ??= clock.at(clock.now() + COLLECT_MS, () => void this.#store());
  }

  remove(session: RunnerSession): void {
    this.#sessions.delete(session.id);
  }

  close(): void {
    this.#cancel?.();
  }

  async #store(): Promise<void> {
    this.#cancel = null;
    const { database, clock, log } = this.#context;
    const beats = [...this.#sessions.values()].flatMap(({ id, beat }) =>
      beat === null ? [] : [{ sessionId: id, beat }],
    );
    this.#sessions.clear();
    try {
      await saveBeats(database.sql, beats, new Date(clock.now()));
    } catch (err) {
      // The next change of each brings it.
      log.warn({ err }, 'beats of runners could not be stored');
    }
  }
}
