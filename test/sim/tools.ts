import { systemClock } from '../../src/base/time/clock.ts';
import { neverAway } from '../../src/base/concurrency/unlessAway.ts';
import type { Ids } from '../../src/base/system/ids/ids.ts';
import type { AgentJob } from '../../src/contract/job/agentJob.ts';
import type { OpenToolServer, ToolHost } from '../../src/executors/tools/host/createToolHost.ts';
import {
  type CallGuard,
  type CallWatch,
  PhaseTools,
} from '../../src/executors/tools/host/phaseTools.ts';
import type { OwnProviders, ToolList } from '../../src/executors/tools/catalogue/toolPatterns.ts';
import type { ToolAnswer } from '../../src/executors/tools/tool.ts';
import type { Life } from './life.ts';
import { unscreened } from '../support/standIns/unscreened.ts';

interface OpenOptions {
  forges: readonly string[];
  watch?: CallWatch;
  allowed?: ToolList;
  own?: OwnProviders;
  guard?: CallGuard;
}

/** The tool host without HTTP: the same tools, called by path and token in this process. */
export class SimulatedTools implements ToolHost {
  readonly services = [];
  readonly #life: Life;
  readonly #ids: Ids;
  readonly #open = new Map<string, { token: string; phase: PhaseTools; calls: number }>();

  constructor(life: Life, ids: Ids) {
    this.#life = life;
    this.#ids = ids;
  }

  openChat(): never {
    throw new Error('A simulated runner has no chats.');
  }

  open(port: AgentJob, { forges, watch, ...rules }: OpenOptions): OpenToolServer {
    const path = `/mcp/${this.#ids.next()}`;
    const token = this.#ids.secret();
    const phase = new PhaseTools(
      this.#life.world.talkative ? this.#slow(port) : port,
      forges,
      (where, error) => {
        if (this.#life.alive && !`${error}`.includes('simulated'))
          this.#life.world.note(`${where}: ${error}`);
      },
      {
        clock: systemClock,
        awaySince: neverAway,
        screen: unscreened,
        ...(this.#life.world.stage?.guardrails ? rules : {}),
        watch: {
          began: () => {
            entry.calls += 1;
            watch?.began();
          },
          onEnd: () => {
            entry.calls -= 1;
            watch?.onEnd();
          },
          onLost: () => watch?.onLost(),
        },
      },
    );
    const entry = { token, phase, calls: 0 };
    this.#open.set(path, entry);
    return {
      path,
      token,
      serve: (id) => `${path}/${id}`,
      hold: () => phase.hold(),
      release: () => phase.release(),
      close: async () => {
        this.#open.delete(path);
        phase.close();
      },
    };
  }

  /** Tools that take their time, so that messages come while they are at work. */
  #slow(port: AgentJob): AgentJob {
    const chance = this.#life.world.chance.named(
      `tools ${port.jobId} ${port.visit}.${port.session}`,
    );
    const send: AgentJob['send'] = async (...args) => {
      await this.#life.moment(chance.wait(1, 4_000));
      return port.send(...args);
    };
    return { ...port, send };
  }

  /** What an agent's client gets; throws where no runner can answer. */
  async call(path: string, token: string, name: string, args: unknown): Promise<ToolAnswer> {
    if (!this.#life.alive) throw new Error('simulated: connection refused');
    const session = this.#open.get(path);
    if (session?.token !== token) throw new Error('simulated: 404, the session is over');
    return session.phase.call(name, args);
  }

  /** Whether a tool works for the session just now; a call that is held does not count. */
  isAtWork = (path: string): boolean => (this.#open.get(path)?.calls ?? 0) > 0;

  has = (path: string): boolean => this.#open.has(path);

  isToken = (token: string): boolean => [...this.#open.values()].some((one) => one.token === token);

  async handle(): Promise<void> {
    throw new Error('the simulation has no HTTP');
  }
}
