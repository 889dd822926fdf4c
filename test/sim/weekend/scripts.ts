import type { Hands } from '../agents.ts';
import { type End, END } from '../script.ts';
import { findKind } from './agents/index.ts';
import type { JobPlan, Outside } from './agents/kind.ts';
import type { Endpoint } from './endpoint.ts';
import type { WeekendRecord } from './record.ts';

const MINUTE_MS = 60_000;

/** A limit that a call has met: the session is over. */
class LimitMet extends Error {
  readonly end: End;

  constructor(end: End) {
    super('a limit');
    this.end = end;
  }
}

interface Played {
  plan: JobPlan;
  endpoint: Endpoint;
  record: WeekendRecord;
  outside: Outside;
  now(): number;
}

/** One session of an agent of the weekend. */
export async function playWeekend(
  hands: Hands,
  { plan, endpoint, now, record, outside }: Played,
): Promise<End> {
  const { jobId } = hands;
  const call = async () => {
    const limit = endpoint.refusal(plan.account, now());
    if (limit) {
      const { kind, window, namesReset, until } = limit;
      throw new LimitMet({
        stopReason: 'quota',
        error: `the account ${plan.account} takes no requests`,
        resetsAt: namesReset ? until : null,
        quota: { kind, window },
      });
    }
    await hands.sleep(hands.chance.int(1_000, 20_000));
    await hands.ask(plan.tokens);
    await hands.sleep(
      Math.round(plan.minutes * MINUTE_MS * (0.5 + hands.chance.int(0, 999) / 1_000)),
    );
  };
  try {
    await findKind(plan).play({
      hands,
      plan,
      outside,
      call,
      work: () => record.work(jobId),
      countLoop: () => record.countLoop(jobId),
      tried: (act, refused) => record.attempts.push({ at: now(), jobId, act, refused }),
    });
    return END;
  } catch (error) {
    if (error instanceof LimitMet) return error.end;
    throw error;
  }
}
