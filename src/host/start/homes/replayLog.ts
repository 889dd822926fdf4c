import { SvcError } from '../../../base/errors/errors.ts';
import type { HomeClient } from '../../../cloudLink/homes/homeClient.ts';
import type { Patience } from '../../../cloudLink/homes/runnerRequests.ts';
import { Database } from '../../../kernel/sqlite/database.ts';
import type { LogEntry, LogPosition } from '../../../kernel/sqlite/log/homeLog.ts';
import { replayEntries } from '../../../kernel/sqlite/log/replay.ts';

/** The file has another history than the control plane: nothing was replayed. */
export class OtherHistory extends Error {}

export interface ReplayParts {
  client: HomeClient;
  patience: Patience;
  /** Called now and then with the number of the last entry that has come. */
  onProgress(n: number): void;
}

/** Entries between two reports. */
const REPORTED = 1_000;

const refuseEntry = (n: number, why: string): SvcError =>
  new SvcError(
    'store-failed',
    `Entry ${n} of this home's log ${why} at the control plane. Nothing that was acknowledged on this machine is changed by that. Restore the control plane's database, or decide with svc cloud reseed that the state of this machine counts.`,
    { data: { entry: n } },
  );

/** The entries after a position up to `head`, a reply at a time. Throws for one that is missing. */
async function* fetchEntries(
  { client, patience, onProgress }: ReplayParts,
  from: LogPosition,
  head: number,
): AsyncGenerator<LogEntry> {
  let n = from.n;
  while (n < head) {
    const before = n;
    for await (const entry of client.readEntries(n, patience)) {
      if (entry.n !== n + 1) throw refuseEntry(n + 1, 'is missing');
      n = entry.n;
      yield entry;
      if (n % REPORTED === 0) onProgress(n);
      if (n === head) return;
    }
    if (n === before) throw refuseEntry(n + 1, 'is missing');
  }
}

/** The first entry after the file may not fit because the file does not. */
async function explainBrokenChain(
  { client, patience }: ReplayParts,
  from: LogPosition,
  n: number,
): Promise<never> {
  if (n === from.n + 1 && from.n > 0)
    for await (const entry of client.readEntries(from.n - 1, patience)) {
      if (entry.n === from.n && entry.hash !== from.hash) throw new OtherHistory();
      break;
    }
  throw refuseEntry(n, 'is damaged');
}

/**
 * Brings a state from `from` to `head` by the entries that the control plane has. Throws {@link OtherHistory}, and
 * SvcError `store-failed` for an entry that is missing or damaged; the entries before it are in the file.
 */
export async function replayLog(
  parts: ReplayParts,
  stateDb: string,
  from: LogPosition,
  head: number,
): Promise<void> {
  const db = new Database(stateDb);
  try {
    await replayEntries(db, fetchEntries(parts, from, head));
  } catch (error) {
    if (!(error instanceof SvcError) || error.data.why === undefined) throw error;
    await explainBrokenChain(parts, from, Number(error.data.n));
  } finally {
    db.close();
  }
}
