import { formatUtcMinute } from '../../base/time/toIsoTime.ts';
import { type JobContext, readQuotaContext } from '../../../machines/index.ts';
import type { Why } from '../../kernel/questions.ts';
import type { Kernel } from '../../contract/records/changes.ts';

const JOB_TIMER = 'quota';
const POOL_TIMER = 'due';

/** The state of a waiting job's account; null if only the job's own reason says more. */
function describeAccountWait(kernel: Pick<Kernel, 'state'>, id: string): string | null {
  const state = kernel.state(id);
  if (state === undefined) return null;
  const { closed } = readQuotaContext(state);
  if (state.value === 'probing') return `${id} is being tested with one job`;
  if (state.value === 'waking') return `${id} accepts requests again and resumes its jobs in turn`;
  if (closed === null) return null;
  if (closed.until === null)
    return `the account ${id} is unpaid, and waiting does not help: pay its bill, then run svc accounts retry ${id}`;
  if (closed.kind === 'failing')
    return `sessions of ${id} keep failing immediately (${closed.error ?? 'none was given'}); it is tried again at ${formatUtcMinute(closed.until)}, or with svc accounts retry ${id}`;
  const limit = closed.window === null ? '' : ` (limit of ${closed.window})`;
  return `${id} is ${String(state.value)}${limit}; it is tried again at ${formatUtcMinute(closed.until)}`;
}

/** The account that a job waits for, its state, and when it is tried again. */
export function explainQuotaWait(
  kernel: Pick<Kernel, 'state' | 'why'>,
  why: Why,
  parking: JobContext['parked'],
): Why {
  if (parking?.kind !== 'quota') return why;
  const { pool: accountId, reason } = parking;
  const text = accountId === undefined ? null : describeAccountWait(kernel, accountId);
  const timers = accountId === undefined || text === null ? [] : kernel.why(accountId).timers;
  return {
    ...why,
    waitsFor: [...why.waitsFor, text ?? reason],
    timers: [
      ...why.timers,
      ...timers
        .filter(({ name }) => name === POOL_TIMER)
        .map(({ due }) => ({ name: JOB_TIMER, due })),
    ],
  };
}
