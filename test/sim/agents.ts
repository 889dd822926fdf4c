import {
  type Executor,
  KICKOFF,
  type SessionEvent,
  type SessionRequest,
  type SessionResult,
} from '../../src/contract/session/executor.ts';
import type { OwnCall as OwnToolCall } from '../../src/contract/session/ownCall.ts';
import type { SeenCall } from '../../src/contract/session/seenCall.ts';
import type { TurnStop } from '../../src/base/jobs/stopReasons.ts';
import type { Usage } from '../../src/contract/schema/session/usage.ts';
import { addUsage } from '../../src/base/spending/usageSum.ts';
import { fingerprintCall } from '../../src/executors/process/sessionOutput.ts';
import { toSessionResult } from '../../src/executors/process/toSessionResult.ts';
import type { ToolAnswer } from '../../src/executors/tools/tool.ts';
import { AgentInput } from './agentInput.ts';
import type { Chance } from './chance.ts';
import type { Life } from './life.ts';
import { type ModelCall, OUTPUT, PRICE } from './usageTruths.ts';
import type { World } from './world.ts';

/** Tokens of the first call; each has one more than the one before. */
const FIRST_TOKENS = 1_000;

const toSessionEnd = (stop: TurnStop): [SessionResult['stopReason'], string | null] => {
  const { stopReason, error } = toSessionResult(
    stop,
    stop === 'error' ? 'the model does not answer' : null,
  );
  return [stopReason, error];
};

/** What is seen of a call of an agent's own tool; `ok`: default true. */
export interface OwnCall {
  ok?: boolean;
  answer: string;
  failing?: readonly string[];
}

/** What a script can do. */
export interface Hands {
  readonly request: SessionRequest;
  readonly phase: string;
  readonly jobId: string;
  readonly chance: Chance;
  readonly stormy: boolean;
  /** Some simulated time. */
  sleep(ms: number): Promise<void>;
  /** Calls a tool; sometimes the answer gets lost on the way. */
  tool(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  /**
   * What svc says about a call of the agent's own tool before it is carried out: why it is refused;
   * null = it may run.
   */
  may(call: OwnToolCall): Promise<string | null>;
  /** Calls a tool of the agent's own, such as its shell; `failing`: tests that its answer shows. */
  own(name: string, args: unknown, outcome: OwnCall): void;
  /** Is called at the end of each turn. */
  onTurn: () => void;
  /** A commit to a branch of the checkout. */
  commit(branch: string): void;
  say(line: string): void;
  /** The model has answered one call. */
  answered(): void;
  /**
   * Asks the model, with so many tokens and some more: resolves when another call may follow; never
   * where the session is being ended.
   */
  ask(tokens: number): Promise<void>;
}

/** The process of an agent: it outlives its runner, as real ones do, until it is ended. */
export class AgentProcess implements Hands {
  readonly request: SessionRequest;
  readonly result: Promise<SessionResult>;
  readonly chance: Chance;
  readonly #world: World;
  readonly #life: Life;
  /** null for one that reads its kickoff and nothing else. */
  readonly input: AgentInput | null;
  onTurn = () => {};
  /** Messages that it was given in the middle of its session. */
  readonly #read = new Set<string>();
  /** What its model has used; null = nothing yet. */
  #spent: Usage | null = null;
  /** Calls of tools under way. */
  #calls = 0;
  #isEnding = false;
  #seen = 0;
  #over: (result: SessionResult) => void = () => {};

  constructor(world: World, life: Life, request: SessionRequest) {
    this.request = request;
    this.#world = world;
    this.#life = life;
    const { jobId, visit, session } = request;
    const job = world.chance.named(`agents of ${jobId}`);
    // Most agents repeat themselves when they are started again; some do something else.
    const fickle = job.is(0.3) ? ` life ${life.number}` : '';
    this.chance = job.named(`${visit}.${session}${fickle}`);
    this.result = new Promise((resolve) => {
      this.#over = resolve;
    });
    world.agents.add(this);
    world.counts.agents += 1;
    world.clock.at(world.clock.now() + request.limits.timeMs, () =>
      this.finish('limit', 'the session took too long'),
    );
    this.input = world.steerable(request) ? this.#openInput() : null;
    if (this.input === null) this.#tell({ type: 'message', id: KICKOFF, state: 'delivered' });
    void this.#work();
  }

  /**
   * Its script is one turn; a message after that is a turn of its own in which it only
   * answers.
   */
  async #work(): Promise<void> {
    const { stopReason, error, ...limit } = await this.#world
      .play(this)
      .catch((thrown: unknown) => ({ stopReason: 'error' as const, error: `${thrown}` }));
    // Neither waits for another message.
    const isGone =
      stopReason === 'limit' ||
      stopReason === 'quota' ||
      stopReason === 'died' ||
      stopReason === 'stuck';
    if (this.input === null || isGone) return this.finish(stopReason, error, limit);
    for (let stop: TurnStop = stopReason; this.alive; stop = 'end_turn') {
      await this.input.endTurn(stop);
      await this.sleep(this.chance.wait(1, 500));
    }
  }

  #openInput(): AgentInput {
    const { clock } = this.#world;
    return new AgentInput({
      chance: this.chance.named('input'),
      folds: this.#world.folds,
      stormy: () => this.stormy,
      mustNotBeInterrupted: () =>
        this.#life.tools.isAtWork(this.request.tools.url) &&
        !this.#isBeingEnded() &&
        !this.#world.disk?.isUrgent,
      wait: (ms) =>
        new Promise((resolve) => {
          clock.at(clock.now() + ms, () => this.alive && resolve());
        }),
      tell: (event) => {
        if (event.type === 'turn') this.onTurn();
        this.#tell(event);
      },
      read: (id) => {
        if (this.#read.has(id))
          this.#world.breaks(`a session is given a message once; ${this.jobId} got ${id} again`);
        this.#read.add(id);
        this.#world.ledger.read.add(id);
      },
      breaks: (sentence) => {
        // What an old runner asked for may arrive when it is gone.
        if (this.#life.alive) this.#world.breaks(`${sentence}; ${this.jobId}`);
      },
      over: (stop) => this.finish(...toSessionEnd(stop)),
    });
  }

  #isBeingEnded(): boolean {
    const state = this.#world.life?.ready
      ? this.#world.life.runner.job(this.jobId).state
      : ['working.stopping'];
    return !state.includes('working.inSession');
  }

  #tell(event: SessionEvent): void {
    if (this.alive && this.#life.alive) void this.request.onEvent(event);
  }

  get alive(): boolean {
    return this.#world.agents.has(this);
  }

  get stormy(): boolean {
    return this.#world.stormy;
  }

  get phase(): string {
    return this.request.phase;
  }

  get jobId(): string {
    return this.request.jobId;
  }

  /** Ends it; nothing of it happens any more. */
  finish(
    stopReason: SessionResult['stopReason'],
    error: string | null,
    limit: Pick<SessionResult, 'resetsAt' | 'quota'> = {},
  ): void {
    if (!this.#world.agents.delete(this)) return;
    this.#world.excuse(this.jobId, 3_000);
    // Its program ends with an exit code of its own: other errors park.
    const fault = stopReason === 'error' ? ({ fault: 'own-exit' } as const) : {};
    this.#over({ stopReason, error, usage: this.#usage(), ...fault, ...limit });
  }

  #usage(): Usage | null {
    if (this.#world.spends) return this.#spent;
    return this.chance.is(0.5) ? { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0 } : null;
  }

  async ask(tokens: number): Promise<void> {
    if (this.#isEnding || !this.alive || !this.#life.alive) return new Promise<never>(() => {});
    await this.#report(tokens + this.#world.ledger.calls.length, PRICE.model);
  }

  /** With a tool; resolves when the next call may follow. */
  #askModel(): Promise<void> | undefined {
    const { spends, ledger } = this.#world;
    if (spends !== true || !this.alive || !this.#life.alive) return undefined;
    const tokens = FIRST_TOKENS + ledger.calls.length;
    return this.#report(tokens, tokens % 5 === 0 ? 'unpriced' : PRICE.model);
  }

  /** Resolves when it is written down. */
  #report(tokens: number, model: string): Promise<void> | undefined {
    const { ledger, clock } = this.#world;
    const call: ModelCall = { tokens, jobId: this.jobId, model, state: 'unknown' };
    ledger.calls.push(call);
    const usage = { inputTokens: tokens, outputTokens: OUTPUT, cachedInputTokens: 0 };
    const report = this.request.onEvent({ type: 'usage', usage, model });
    // What could not be written down is still a part of the sum.
    this.#spent = addUsage(this.#spent, usage);
    return report?.then(
      () => {
        if (this.#life.alive) call.state = 'kept';
      },
      () => {
        if (!this.#life.alive) return;
        call.state = 'refused';
        clock.at(clock.now(), () => this.finish('error', 'the output could not be kept'));
      },
    );
  }

  async sleep(ms: number): Promise<void> {
    const { clock } = this.#world;
    await new Promise<void>((resolve) => {
      clock.at(clock.now() + ms, () => this.alive && resolve());
    });
    if (this.#calls === 0) await this.input?.pause();
  }

  async tool(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const { url, token } = this.request.tools;
    const modelCall = this.#askModel();
    if (this.#world.isCapped) {
      await modelCall;
      // It asks for nothing more while it is being ended.
      if (this.#isEnding) await new Promise<never>(() => {});
    }
    await this.sleep(this.chance.wait(1, 50));
    this.#calls += 1;
    const call = { id: `${this.#seen++}`, name, ok: true, failing: null };
    this.#see({ ...call, at: 'start', print: fingerprintCall(args) });
    const answer = await this.#life.tools.call(url, token, name, args).finally(() => {
      this.#calls -= 1;
    });
    this.#see({ ...call, ok: !answer.failed, at: 'end', print: fingerprintCall(answer) });
    await this.sleep(this.chance.wait(1, 50));
    if (this.stormy && this.chance.is(0.01)) throw new Error('simulated: the answer was lost');
    return answer;
  }

  async may(call: OwnToolCall): Promise<string | null> {
    // Where no runner answers, the call is not carried out.
    if (!this.alive || !this.#life.alive) return new Promise<never>(() => {});
    return (await this.request.guard?.(call)) ?? null;
  }

  own(name: string, args: unknown, { ok = true, answer, failing }: OwnCall): void {
    const call = { id: `${this.#seen++}`, name, ok, failing: failing ?? null };
    this.#see({ ...call, at: 'start', print: fingerprintCall(args) });
    this.#see({ ...call, at: 'end', print: fingerprintCall(answer) });
  }

  #see(call: SeenCall): void {
    if (this.alive && this.#life.alive) this.request.onCall?.(call);
  }

  commit(branch: string): void {
    if (this.alive) this.#world.git.commit(this.request.cwd, branch);
  }

  say(line: string): void {
    if (this.alive && this.#life.alive)
      void this.request.onEvent({ type: 'log', stream: 'stdout', line });
  }

  answered(): void {
    const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0 };
    this.#tell({ type: 'usage', usage });
  }

  end(graceMs: number): void {
    this.#isEnding = true;
    // Asked politely, some end their turn in good order just then; the others are killed.
    const { clock } = this.#world;
    // One whose script asks its model stops between two calls, as `builtin` does.
    const polite = this.#world.spends !== 'asked' && this.chance.is(0.3);
    clock.at(clock.now() + this.chance.int(0, graceMs), () =>
      this.finish(polite ? 'end_turn' : 'interrupted', null),
    );
  }
}

/** Runs agents as scripts. */
export const simulatedExecutor = (life: Life, chance: Chance): Executor => ({
  id: 'command',
  capabilities: {
    steering: true,
    foldMidTurn: life.world.folds,
    cancelsToolCalls: true,
    resume: false,
    skills: false,
    systemPrompt: true,
    ...(life.world.spends === 'asked' ? { reportsUsage: 'each-call' as const } : {}),
  },
  pool: ({ llm }) => life.world.pool(llm.provider),
  async run(request) {
    const { world } = life;
    await life.moment(chance.wait(5, 800));
    if (world.stormy && chance.is(0.02)) {
      world.excuse(request.jobId, 8_000);
      throw new Error('simulated: no process could be made');
    }
    const twin = [...world.agents].find(({ jobId }) => jobId === request.jobId);
    if (twin) {
      const { visit, session } = twin.request;
      world.breaks(
        `a job has at most one agent at a time; ${request.jobId} gets ${request.visit}.${request.session} while ${visit}.${session} runs`,
      );
    }
    const agent = new AgentProcess(world, life, request);
    return {
      result: agent.result,
      steering: agent.input,
      end: async (graceMs) => agent.end(graceMs),
    };
  },
  async endOrphans() {
    await life.moment(chance.wait(1, 200));
    const orphans = [...life.world.agents];
    for (const orphan of orphans) orphan.finish('interrupted', null);
    return orphans.length;
  },
});
