import { setTimeout as wait } from 'node:timers/promises';
import { CHAIN_START } from '../../../src/base/system/homes/chainEntryHash.ts';
import type { HomeLog, LogEntry } from '../../../src/kernel/sqlite/log/homeLog.ts';
import { readLogPosition } from '../../../src/kernel/sqlite/log/outgoing.ts';
import type { OpenStore } from '../../../src/jobs/store/openStore.ts';

/** A log that acknowledges each entry after the same time, in order. */
class DelayedLog implements HomeLog {
  readonly #ms: number;
  head: number;
  acknowledged: number;

  constructor(ms: number, n: number) {
    this.#ms = ms;
    this.head = n;
    this.acknowledged = n;
  }

  async send({ n }: LogEntry): Promise<undefined> {
    this.head = n;
    await wait(this.#ms);
    this.acknowledged = n;
    return undefined;
  }
}

/** `SVC_LOG_DELAY`: ms until entries are acknowledged; null = stores have no log. */
export function readLogDelay(env: NodeJS.ProcessEnv): number | null {
  const ms = env['SVC_LOG_DELAY'];
  return ms === undefined ? null : Number(ms);
}

/** Gives an open store a log that acknowledges after `ms`; it continues where the file is. */
export async function beginDelayedLog(store: OpenStore, ms: number): Promise<void> {
  const at = readLogPosition(store.db) ?? { n: 0, hash: CHAIN_START };
  const owner = store.db.get("SELECT value FROM meta WHERE key = 'generation'")?.value;
  await store.log.begin(new DelayedLog(ms, at.n), {
    ...at,
    generation: Number(owner ?? 0) + 1,
    checkpointDue: () => Promise.resolve(undefined),
    keepArchive: () => Promise.resolve(undefined),
  });
}
