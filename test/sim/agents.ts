import type { Executor, SessionRequest, SessionResult } from '../../src/executors/executor.ts';
import type { ToolAnswer } from '../../src/tools/tool.ts';
import type { Chance } from './chance.ts';
import type { Life } from './life.ts';
import type { World } from './world.ts';

/** What a script can do. */
export interface Hands {
  readonly phase: string;
  readonly jobId: string;
  readonly chance: Chance;
  readonly stormy: boolean;
  /** Some simulated time. */
  sleep(ms: number): Promise<void>;
  /** Calls a tool; sometimes the answer gets lost on the way. */
  tool(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  /** A commit to a branch of the checkout. */
  commit(branch: string): void;
  say(line: string): void;
}

/** The process of an agent: it outlives its runner, as real ones do, until somebody ends it. */
export class AgentProcess implements Hands {
  readonly request: SessionRequest;
  readonly result: Promise<SessionResult>;
  readonly chance: Chance;
  readonly #world: World;
  readonly #life: Life;
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
    world.clock.at(world.clock.now() + request.limits.timeMs, () => this.finish('limit', 'the session took too long'));
    world.play(this).then(
      ({ stopReason, error }) => this.finish(stopReason, error),
      (error: unknown) => this.finish('error', `${error}`),
    );
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
  finish(stopReason: SessionResult['stopReason'], error: string | null): void {
    if (!this.#world.agents.delete(this)) return;
    this.#world.excuse(this.jobId, 3_000);
    const usage = this.chance.is(0.5) ? { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0 } : null;
    this.#over({ stopReason, error, usage });
  }

  sleep(ms: number): Promise<void> {
    const { clock } = this.#world;
    return new Promise((resolve) => {
      clock.at(clock.now() + ms, () => this.alive && resolve());
    });
  }

  async tool(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const { url, token } = this.request.tools;
    await this.sleep(this.chance.wait(1, 50));
    const answer = await this.#life.tools.call(url, token, name, args);
    await this.sleep(this.chance.wait(1, 50));
    if (this.stormy && this.chance.is(0.01)) throw new Error('simulated: the answer was lost');
    return answer;
  }

  commit(branch: string): void {
    if (this.alive) this.#world.git.commit(this.request.cwd, branch);
  }

  say(line: string): void {
    if (this.alive && this.#life.alive) void this.request.onEvent({ type: 'log', stream: 'stdout', line });
  }

  end(graceMs: number): void {
    // Asked politely, some end their turn in good order just then; the others are killed.
    const { clock } = this.#world;
    const polite = this.chance.is(0.3);
    clock.at(clock.now() + this.chance.int(0, graceMs), () => this.finish(polite ? 'end_turn' : 'interrupted', null));
  }
}

/** Runs agents as scripts. */
export const simulatedExecutor = (life: Life, chance: Chance): Executor => ({
  id: 'command',
  capabilities: { steering: false, foldMidTurn: false, cancelsToolCalls: true, resume: false, skills: false, systemPrompt: true },
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
    return { result: agent.result, steering: null, end: async (graceMs) => agent.end(graceMs) };
  },
  async endOrphans() {
    await life.moment(chance.wait(1, 200));
    const orphans = [...life.world.agents];
    for (const orphan of orphans) orphan.finish('interrupted', null);
    return orphans.length;
  },
});
