import { type JobContext, quotaChart } from '../../../machines/index.ts';
import type { Submission } from '../../kernel/contract.ts';
import type { ActorState } from '../../kernel/chart.ts';
import type { DurableStore } from '../../kernel/writer.ts';
import type { Kernel } from '../../contract/records/changes.ts';
import { type AccountLookupDeps, findJobAccount } from './findPhaseAccount.ts';

/** Timer of a job that no account wakes. */
const OWN_TIMER = 'quota';

export interface MoveWaitsDeps extends AccountLookupDeps {
  kernel: Pick<Kernel, 'submit' | 'state'>;
  timers: DurableStore['timers'];
  now(): number;
  /** From 0 up to, not including, 1. */
  chance(): number;
}

type WaitTransfer = Required<Pick<Submission, 'starts' | 'sends'>>;

/** Moves one job to its account; null if it waits for none, or its time has come. */
function buildWaitTransfer(deps: MoveWaitsDeps, job: ActorState | undefined): WaitTransfer | null {
  if (job?.chart !== 'job') return null;
  const context = job.context as JobContext;
  const { parked } = context;
  if (parked?.kind !== 'quota' || parked.pool !== undefined) return null;
  const resetsAt = parked.until === undefined ? 0 : Date.parse(parked.until);
  const now = deps.now();
  const accountId = resetsAt > now ? findJobAccount(deps, context) : null;
  if (accountId === null) return null;
  const hit = { type: 'quota.hit', kind: 'exhausted', window: null, resetsAt };
  return {
    starts: [{ chart: quotaChart.id, id: accountId, input: { pool: accountId, createdAt: now } }],
    sends: [
      { to: accountId, event: { ...hit, chance: deps.chance() } },
      { to: job.id, event: { type: 'quota.adopted', pool: accountId } },
    ],
  };
}

/**
 * Moves jobs that wait for a limit by a timer of their own, as in svc 0.2, to their accounts, so
 * that they do not all wake at once. Returns how many.
 */
export async function moveWaitsToAccounts(deps: MoveWaitsDeps): Promise<number> {
  const waiting = deps.timers(Number.MAX_SAFE_INTEGER).filter(({ name }) => name === OWN_TIMER);
  let jobs = 0;
  for (const { actor } of waiting) {
    const transfer = buildWaitTransfer(deps, deps.kernel.state(actor));
    if (transfer === null) continue;
    await deps.kernel.submit(transfer);
    jobs += 1;
  }
  return jobs;
}
