import { existsSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { SvcError } from '../../../base/errors/errors.ts';
import { type Ids, sha256 } from '../../../base/system/ids/ids.ts';
import type { HomeClient } from '../../../cloudLink/homes/homeClient.ts';
import type { Patience } from '../../../cloudLink/homes/runnerRequests.ts';
import { uploadCheckpoint } from '../../../cloudLink/homes/uploadCheckpoint.ts';
import { copyClosedState } from '../../../jobs/store/copiedState.ts';
import { Database } from '../../../kernel/sqlite/database.ts';
import type { LogPosition } from '../../../kernel/sqlite/log/homeLog.ts';
import { forgetLog, writeLogPosition } from '../../../kernel/sqlite/log/outgoing.ts';
import { clearOutsideWrites } from '../../../kernel/sqlite/log/outsideWrites.ts';
import { BESIDE } from '../../../kernel/sqlite/pair/moveStateAside.ts';
import type { ThreadProgram } from '../../../kernel/sqlite/thread/writerThread.ts';
import { type DivergedState, readDivergedState, removeDivergedState } from './divergedState.ts';
import { readFileStanding } from '../../../kernel/sqlite/log/fileStanding.ts';
import { makeCheckpoint } from './makeCheckpoint.ts';

/** What a person decides about, as both sides have it. */
export interface ReseedChoice {
  /** The last entry of this machine's state; null = it has none, or no log. */
  machine: number | null;
  /** The last entry of the control plane; null = it has no log of the home. */
  cloud: number | null;
  /** Why it has to be decided; null = nothing is known to differ. */
  diverged: DivergedState | null;
}

export async function readReseedChoice(
  client: HomeClient,
  { home, stateDb }: { home: string; stateDb: string },
  patience: Patience,
): Promise<ReseedChoice> {
  const divergence = readDivergedState(home);
  const state = await client.readState(patience);
  const file = readFileStanding(existsSync(stateDb) ? stateDb : (divergence?.file ?? stateDb));
  return { machine: file?.position?.n ?? null, cloud: state?.head ?? null, diverged: divergence };
}

/** The control plane's state counts: the next start fetches it. This machine's state stays where it was put. */
export async function takeCloudState(home: string): Promise<void> {
  await removeDivergedState(home);
}

export interface ReseedParts {
  client: HomeClient;
  home: string;
  stateDb: string;
  homeId: string;
  reason: string;
  checker: ThreadProgram;
  ids: Ids;
  patience: Patience;
}

/**
 * This machine's state counts: the log begins again from it, and what the control plane has is given up. The runner is
 * stopped. May be killed and called again. Throws SvcError `not-found` where this machine has no state.
 */
export async function reseedHome(parts: ReseedParts): Promise<LogPosition> {
  const { client, home, stateDb, homeId, reason, ids, patience } = parts;
  putBack(stateDb, readDivergedState(home));
  const file = readFileStanding(stateDb);
  if (file === null)
    throw new SvcError(
      'not-found',
      `${stateDb} does not exist: this machine has no state that could count. Start the runner to take that of the control plane.`,
    );
  const state = await client.readState(patience);
  const begin: LogPosition = {
    n: Math.max(file.position?.n ?? 0, state?.head ?? 0) + 1,
    // A history of its own: no entry of another one fits behind it.
    hash: sha256(`${homeId}\n${ids.secret()}`),
  };
  const generation = Math.max(file.generation, state?.generation ?? 0);
  beginLogAt(stateDb, begin);
  const copyTo = (copy: string) => copyClosedState(stateDb, copy);
  const copy = await makeCheckpoint({ copyTo }, stateDb, parts.checker);
  try {
    const { storeVersion } = copy;
    if (state === null)
      await client.create({ ...begin, generation, storeVersion, homeId }, patience);
    else await client.reseed({ ...begin, generation, storeVersion, reason }, patience);
    await uploadCheckpoint(client, copy, patience);
  } finally {
    await rm(copy.file, { force: true });
  }
  await removeDivergedState(home);
  return begin;
}

/** The state that was put aside is the home's again. */
function putBack(stateDb: string, divergence: DivergedState | null): void {
  if (divergence === null || existsSync(stateDb) || !existsSync(divergence.file)) return;
  for (const end of [...BESIDE, ''])
    if (existsSync(`${divergence.file}${end}`))
      renameSync(`${divergence.file}${end}`, `${stateDb}${end}`);
}

function beginLogAt(stateDb: string, position: LogPosition): void {
  const db = new Database(stateDb);
  try {
    db.transaction(() => {
      forgetLog(db);
      writeLogPosition(db, position);
      clearOutsideWrites(db);
    });
  } finally {
    db.close();
  }
}
