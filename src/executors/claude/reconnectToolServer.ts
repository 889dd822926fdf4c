import type { Clock } from '../../base/time/clock.ts';
import { raceDeadline } from '../../base/time/waiting.ts';
import type { Query } from './sdk.ts';

/** Longest wait for the tool server, ms. */
const RECONNECT_MS = 5_000;

/** Reconnects the program to its tool server; false if that fails or takes too long. */
export async function reconnectToolServer(query: Query | null, clock: Clock): Promise<boolean> {
  // Without a program there is no connection to lose.
  if (query === null) return true;
  const answer = query.reconnectMcpServer('svc').then(
    () => true,
    () => false,
  );
  return raceDeadline(clock, RECONNECT_MS, answer, () => false);
}
