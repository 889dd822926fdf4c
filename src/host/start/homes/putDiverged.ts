import type { Clock } from '../../../base/time/clock.ts';
import type { Ids } from '../../../base/system/ids/ids.ts';
import type { HomeClient } from '../../../cloudLink/homes/homeClient.ts';
import type { Patience } from '../../../cloudLink/homes/runnerRequests.ts';
import type { FileStanding } from '../../../kernel/sqlite/log/fileStanding.ts';
import { moveStateAside } from '../../../kernel/sqlite/pair/moveStateAside.ts';
import { createDivergedError, saveDivergedState } from './divergedState.ts';

/** Longest wait for the control plane to note it, ms: the start is refused anyway. */
const REPORT_MS = 5_000;

interface DivergedParts {
  client: Pick<HomeClient, 'noteDiverged'>;
  patience: Patience;
  /** Folder of the home. */
  home: string;
  stateDb: string;
  clock: Clock;
  ids: Ids;
  log: { warn(facts: object, text: string): void };
}

/**
 * Tells the control plane that the states do not fit, so that no other runner continues the home before a person has
 * decided. Never rejects.
 */
export const reportDiverged = (
  { client, patience, clock, log }: DivergedParts,
  n: number,
): Promise<void> =>
  client
    .noteDiverged({ n }, { ...patience, until: clock.now() + REPORT_MS })
    .catch((err: unknown) =>
      log.warn({ err }, 'the control plane could not note that the states do not fit'),
    );

/** Puts the state of this machine aside, and refuses the start: a person decides which history counts. */
export async function putDiverged(
  parts: DivergedParts,
  file: FileStanding | null,
  head: number,
  detail: string,
): Promise<never> {
  const { home, stateDb, ids } = parts;
  const n = file?.position?.n ?? 0;
  const ending = `diverged-${n}`;
  const divergence = { file: `${stateDb}.${ending}`, n, head, detail };
  // The record first: no start may take the control plane's state because this one is not there.
  await saveDivergedState(home, divergence, ids);
  const aside = moveStateAside(stateDb, ending) ?? divergence.file;
  if (aside !== divergence.file) await saveDivergedState(home, { ...divergence, file: aside }, ids);
  await reportDiverged(parts, n);
  throw createDivergedError({ ...divergence, file: aside });
}
