import type { StoredLog } from './readHomeRows.ts';

/** A line of the history that processes of a home write. */
export type HistoryLine = { pid: number; at: number } & (
  | { claimed: number; claimedAt: number }
  | { acknowledged: number; generation: number; begun: number }
  | { ended: string }
  | { started: true }
);

/**
 * What is wrong with the claims and acknowledgements of all processes of a home; empty = nothing. Times are of one
 * machine, epoch ms.
 */
export function checkHistory(lines: readonly HistoryLine[], log: StoredLog): string[] {
  const problems: string[] = [];
  const claims = new Map<number, number>();
  for (const line of lines) {
    if (!('claimed' in line)) continue;
    if (claims.has(line.claimed)) problems.push(`generation ${line.claimed} was claimed twice`);
    claims.set(line.claimed, line.claimedAt);
  }
  const generations = [...claims.keys()];
  const entries = new Map(log.entries.map((entry) => [entry.n, entry]));
  const acknowledged = new Map<number, number>();
  for (const line of lines) {
    if (!('acknowledged' in line)) continue;
    const { acknowledged: n, generation, begun } = line;
    const before = acknowledged.get(n);
    if (before !== undefined && before !== generation)
      problems.push(`entry ${n} was acknowledged in generations ${before} and ${generation}`);
    acknowledged.set(n, generation);
    for (const later of generations)
      if (later > generation && (claims.get(later) ?? 0) < begun)
        problems.push(
          `entry ${n} of generation ${generation} was begun after the claim of ${later} and acknowledged`,
        );
    if (n <= log.after.n) continue;
    if (entries.get(n)?.generation !== generation)
      problems.push(
        `entry ${n} was acknowledged in generation ${generation}; stored is ${entries.get(n)?.generation}`,
      );
  }
  return problems;
}
