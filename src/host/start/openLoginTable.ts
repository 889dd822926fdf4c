import { type AwaySince, unlessAway } from '../../base/concurrency/unlessAway.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { LoginRow, LoginTable } from '../../api/server/login/logins.ts';

/** How long a login waits to be kept while the control plane is away, ms. */
const AWAY_LOGIN_MS = 1_000;

type Change = Parameters<LoginTable['write']>[0][number];

interface LoginTableParts extends LoginTable {
  clock: Clock;
  awaySince: AwaySince;
}

/**
 * The logins of the dashboard. While the control plane is away they count before they are kept: a person must be able to
 * see on the page why nothing happens.
 */
export function openLoginTable({ all, write, clock, awaySince }: LoginTableParts): LoginTable {
  /** Changes that are not kept yet, in their order. */
  const waiting = new Set<readonly Change[]>();
  return {
    all: () => [...waiting].flat().reduce(applyLoginChange, all()),
    async write(changes) {
      waiting.add(changes);
      const writing = write(changes).finally(() => waiting.delete(changes));
      const limit = { clock, awaySince, mostMs: AWAY_LOGIN_MS };
      await unlessAway(writing, limit, () => undefined);
    },
  };
}

function applyLoginChange(rows: LoginRow[], change: Change): LoginRow[] {
  const hash = change.op === 'put' ? change.row.cookie_hash : change.key.cookie_hash;
  const others = rows.filter(({ cookie_hash }) => cookie_hash !== hash);
  if (change.op === 'put') return [...others, change.row];
  const row = rows.find(({ cookie_hash }) => cookie_hash === hash);
  return change.op === 'drop' || row === undefined
    ? others
    : [...others, { ...row, ...change.set }];
}
