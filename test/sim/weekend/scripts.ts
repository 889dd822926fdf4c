import type { Hands } from '../agents.ts';
import { type End, END } from '../script.ts';
import type { Endpoint } from './endpoint.ts';
import type { Habit, JobPlan } from './plan.ts';
import type { WeekendRecord } from './record.ts';

const MINUTE_MS = 60_000;
/** Calls of a steady agent in each of its phases, and of one that does a part of it. */
const CALLS = 6;
const PARTS = ['left', 'middle', 'right'];

/** A limit that a call has met: the session is over. */
class LimitMet extends Error {
  readonly end: End;

  constructor(end: End) {
    super('a limit');
    this.end = end;
  }
}

interface Turn {
  hands: Hands;
  plan: JobPlan;
  /** One call of the model, and the work until the next. */
  call(): Promise<void>;
  /** Changes the files. */
  work(): void;
}

async function calls({ call }: Turn, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await call();
}

/** Calls with something to show for each. */
async function steps(turn: Turn, times: number): Promise<void> {
  for (let n = 1; n <= times; n++) {
    await turn.call();
    await turn.hands.tool('add_insight', { category: 'note', text: `step ${n}` });
  }
}

const goBack = ({ hands }: Turn, reason: string) =>
  hands.tool('goto_phase', { phase: 'building', reason });

const SCRIPTS: Readonly<Record<Habit, (turn: Turn) => Promise<void>>> = {
  steady: (turn) => steps(turn, CALLS),
  greedy: (turn) => steps(turn, Number.POSITIVE_INFINITY),
  async restless(turn) {
    await calls(turn, 2);
    await turn.hands.tool('request_new_session', { prompt: 'Continue.' });
  },
  async lapping(turn) {
    await calls(turn, 1);
    turn.work();
    if (turn.hands.phase === 'checking') await goBack(turn, 'something new is to be built');
  },
  async fanOut(turn) {
    await calls(turn, 1);
    if (turn.hands.phase !== 'planning') return;
    for (const name of PARTS)
      await turn.hands.tool('register_sub_run', { name, description: `does the ${name} part` });
    await turn.hands.tool('finalize_sub_runs');
  },
  async sessionLooper(turn) {
    for (;;) {
      await turn.call();
      await turn.hands.tool('get_artifacts');
    }
  },
  async jobLooper(turn) {
    await calls(turn, 1);
    if (turn.hands.phase === 'checking') await goBack(turn, 'it still fails');
  },
};

interface Played {
  plan: JobPlan;
  endpoint: Endpoint;
  record: WeekendRecord;
  now(): number;
}

/** One session of an agent of the weekend. */
export async function playWeekend(
  hands: Hands,
  { plan, endpoint, now, record }: Played,
): Promise<End> {
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
    await SCRIPTS[plan.does]({ hands, plan, call, work: () => record.work(hands.jobId) });
    return END;
  } catch (error) {
    if (error instanceof LimitMet) return error.end;
    throw error;
  }
}
