import type { Caps } from '../../../../src/base/spending/budgetScopes.ts';
import type { Hands } from '../../agents.ts';
import type { Account } from '../endpoint.ts';

/** A job of the weekend. */
export interface JobPlan {
  name: string;
  /** The kind of its agents. */
  does: string;
  account: Account;
  /** Hours from the beginning at which it is started. */
  at: number;
  /** Caps in its params. */
  budget?: Caps;
  /** It works unattended until this time. */
  until?: string;
  /** It works in the repository that is capped. */
  inRepository?: boolean;
  /** It registers sub-runs. */
  fansOut?: boolean;
  /** Its workflow has a phase that merges: with invariants about that, or without. */
  merges?: 'proved' | 'plain';
  /** It can come to its end. */
  ends?: boolean;
  /** Tokens of a call, and minutes between two. */
  tokens: number;
  minutes: number;
  /** What a person who looks in raises, by `scope.metric` of the budget that has stopped it. */
  raises?: Readonly<Record<string, number>>;
}

/** What others do because of what an agent does; what they ask for outlives the runner. */
export interface Outside {
  /** A person writes to the job at once. */
  writes(jobId: string, text: string): void;
  /** CI fails on a pull request after some hours. */
  ciFails(number: number, hours: number): void;
  /** An outsider comments on a pull request after some hours. */
  outsiderSays(number: number, text: string, hours: number): void;
  /** A person approves the commit that a pull request has after some hours. */
  approves(number: number, hours: number): void;
}

/** What an attacker tries, and what is to stop it. */
export interface Attack {
  act: string;
  /** The rule for it: a guardrail, or an invariant of the workflow. */
  rule: string;
  /** What to do instead, as the answer names it. */
  says: RegExp;
}

/** One session of an agent. */
export interface Turn {
  hands: Hands;
  plan: JobPlan;
  outside: Outside;
  /** One call of the model, and the work until the next. */
  call(): Promise<void>;
  /** Changes the files. */
  work(): void;
  /** It does once more what it has done before. */
  countLoop(): void;
  /** It has tried what no agent may do; `refused`: what it was answered, null = nothing stopped it. */
  tried(act: string, refused: string | null): void;
}

/** One kind of agent: its file holds what such agents do, and the jobs of the weekend that have them. */
export interface Kind {
  does: string;
  jobs: readonly Omit<JobPlan, 'does'>[];
  play(turn: Turn): Promise<void>;
  /** Repeats itself within a session: the rule that warns it, and at which loop. */
  sessionRule?: { says: RegExp; loop: number };
  /** What its agents try: each of them at least once. */
  attacks?: readonly Attack[];
  /** Its job loops: the rule, the loop at which it is warned, and the one at which it is parked. */
  jobRule?: { rule: string; warn: number; park: number };
}

/** Of a job whose agents never come to an end. */
export const ENDLESS = { tokens: 100_000, minutes: 10 } as const;

export async function calls({ call }: Turn, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await call();
}

/** Calls with something to show for each. */
export async function steps(turn: Turn, times: number): Promise<void> {
  for (let n = 1; n <= times; n++) {
    await turn.call();
    await turn.hands.tool('add_insight', { category: 'note', text: `step ${n}` });
  }
}

/** A call of a tool of the job that no agent may make. */
export async function attempt(
  { hands, tried }: Turn,
  act: string,
  tool: string,
  args: Record<string, unknown>,
): Promise<void> {
  const { failed, text } = await hands.tool(tool, args);
  tried(act, failed === true ? text : null);
}

/** Opens the pull request of a job, with a new commit at the first time; answers its number. */
export async function pullRequest({ hands }: Turn): Promise<number> {
  const head = `${hands.jobId}/work`;
  if (hands.request.visit === 1) hands.commit(head);
  const { data } = await hands.tool('local_create_pr', { head, title: 'Work' });
  return Number(data.number);
}

/** Opens it in the first phase and notes its number; later answers that, and brings nothing. */
export async function notedPullRequest(turn: Turn): Promise<number> {
  const { hands } = turn;
  if (hands.phase === 'building') {
    const number = await pullRequest(turn);
    await hands.tool('add_insight', { category: 'pull-request', text: `${number}` });
    return number;
  }
  const { data } = await hands.tool('read_memory');
  const insights = data.insights as { category: string; text: string }[];
  return Number(insights.find(({ category }) => category === 'pull-request')?.text);
}

/** Back to the first phase, from the one that checks. */
export async function goBack({ hands }: Turn, reason: string): Promise<void> {
  if (hands.phase === 'checking') await hands.tool('goto_phase', { phase: 'building', reason });
}
