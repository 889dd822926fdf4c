import { rm } from 'node:fs/promises';
import { SvcError } from '../../../base/errors/errors.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';
import type { Ids } from '../../../base/system/ids/ids.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { sleep } from '../../../base/time/waiting.ts';
import type { HomeClient } from '../../../cloudLink/homes/homeClient.ts';
import type { Patience } from '../../../cloudLink/homes/runnerRequests.ts';
import type { SocketLog } from '../../../cloudLink/homes/socketLog.ts';
import {
  type CheckpointFile,
  uploadCheckpoint,
} from '../../../cloudLink/homes/uploadCheckpoint.ts';
import type { LogPosition } from '../../../kernel/sqlite/log/homeLog.ts';

/** Between two attempts, where one has failed for another reason than the connection, ms. */
const RETRY_MS = 30_000;

export interface SeedParts {
  client: HomeClient;
  patience: Patience;
  clock: Clock;
  ids: Ids;
  homeId: string;
  /** Of the running kernel, which continues under it. */
  generation: number;
  storeVersion: number;
  log: {
    info(facts: object, text: string): void;
    error(facts: object, text: string): void;
  };
  /** Begins the log of the store at a position; what was begun before is ended. */
  begin(position: LogPosition): Promise<SocketLog>;
  /** The store is local again. */
  end(): void;
  copy(): Promise<CheckpointFile>;
  /** Uploads what entries only name. */
  uploadFiles(): Promise<void>;
}

/**
 * Begins the log of a home that has jobs, while they run: entries are collected from now on, a copy of the state is
 * uploaded, and the entries after the copy follow over the socket. Commits are answered as before meanwhile. null = the
 * patience has ended, or a person has to decide.
 */
export async function seedHome(parts: SeedParts): Promise<SocketLog | null> {
  const { patience, clock, log } = parts;
  const last: Attempt = { socketLog: null, copy: null };
  while (!patience.signal.aborted) {
    try {
      return await seedOnce(parts, last);
    } catch (err) {
      if (patience.signal.aborted) break;
      if (err instanceof SvcError && err.code === 'not-found') {
        log.info(
          {},
          'the control plane keeps no logs of homes: the state is on this machine alone',
        );
        parts.end();
        return null;
      }
      log.error({ err }, 'the state could not be brought to the control plane; it is tried again');
      await sleep(clock, RETRY_MS, patience.signal);
    }
  }
  return null;
}

interface Attempt {
  socketLog: SocketLog | null;
  copy: LogPosition | null;
}

async function seedOnce(parts: SeedParts, last: Attempt): Promise<SocketLog | null> {
  const { client, patience, ids, homeId, generation, storeVersion, log } = parts;
  const state = await client.readState(patience);
  // The answer to the last request of an earlier attempt was lost.
  if (state?.state === 'open' && state.head === last.copy?.n && state.hash === last.copy.hash)
    return last.socketLog;
  if (state !== null && state.state !== 'seeding' && state.head > 0) {
    log.error(
      { head: state.head },
      'the control plane has an older log of this home, and its state here is local. A person decides which one counts: svc cloud reseed',
    );
    return null;
  }
  if (state !== null) await client.leave(patience);
  // A history of its own: no entry of another one fits behind it.
  const socketLog = await parts.begin({ n: 1, hash: sha256(`${homeId}\n${ids.secret()}`) });
  log.info({}, 'the state is brought to the control plane while jobs run');
  await parts.uploadFiles();
  const copy = await parts.copy();
  last.socketLog = socketLog;
  last.copy = copy;
  try {
    const { n, hash } = copy;
    await client.create({ n, hash, generation, storeVersion, homeId }, patience);
    const bytes = await uploadCheckpoint(client, copy, patience);
    log.info({ entry: n, bytes }, 'the control plane has a copy of the state');
  } finally {
    await rm(copy.file, { force: true });
  }
  return socketLog;
}
