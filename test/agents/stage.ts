import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scripts } from '../../demo/model/script.ts';
import { type ModelServer, openModelServer } from '../../demo/model/server.ts';
import type {
  Executor,
  Session,
  SessionEvent,
  SessionRequest,
} from '../../src/contract/session/executor.ts';
import { FakeJobPort } from '../support/http/fakeAgentJob.ts';
import { type ServedTools, serveTools } from '../support/agents/toolServer.ts';
import { openTrapProxy, proxyVariables, type TrapProxy } from './trapProxy.ts';

/** A session of a real agent, with all that it said. */
export interface Running {
  session: Session;
  request: SessionRequest;
  events: SessionEvent[];
  /** Resolves with the first event, past or to come, that matches. */
  until(matches: (event: SessionEvent) => boolean): Promise<SessionEvent>;
  /** Resolves with the `count`th end of a turn. */
  turn(count: number): Promise<Extract<SessionEvent, { type: 'turn' }>>;
}

/**
 * A scripted model, a real tool server with a job behind it, a proxy that must stay unused, and a
 * folder.
 */
export interface Stage {
  dir: string;
  model: ModelServer;
  tools: ServedTools;
  port: FakeJobPort;
  proxy: TrapProxy;
  run(executor: Executor, provider: string, overrides?: Partial<SessionRequest>): Promise<Running>;
  [Symbol.asyncDispose](): Promise<void>;
}

const SESSION_MS = 120_000;

export async function openStage(scripts: Scripts): Promise<Stage> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'svc-agent-')));
  const [model, proxy] = await Promise.all([openModelServer({ scripts }), openTrapProxy()]);
  const port = new FakeJobPort();
  const tools = await serveTools(port);
  let serial = 0;
  return {
    dir,
    model,
    tools,
    port,
    proxy,

    async run(executor, provider, overrides = {}) {
      serial += 1;
      const cwd = join(dir, 'job', 'checkout');
      const home = join(dir, 'job', 'home');
      const tmp = join(dir, 'job', 'tmp');
      await Promise.all(
        [cwd, home, tmp, join(dir, 'job', '_intelligence')].map((path) =>
          mkdir(path, { recursive: true }),
        ),
      );
      const events: SessionEvent[] = [];
      const waiting = new Set<() => void>();
      const request: SessionRequest = {
        jobId: 'shop-job-1',
        visit: 2,
        session: serial,
        phase: 'coding',
        cwd,
        sessionDir: join(dir, 'job', '_sessions', `2.${serial}`),
        overlayDir: join(dir, 'job', '_intelligence'),
        systemPrompt: 'SYSTEM-MARK You are careful.',
        kickoff: '@@work Begin.',
        resume: null,
        tools: { url: tools.url, token: tools.opened.token },
        mcpServers: [],
        builtInTools: null,
        llm: { provider, model: 'claude-sonnet-4-5', reasoningEffort: null },
        command: null,
        env: {
          PATH: process.env.PATH ?? '/usr/bin:/bin',
          HOME: home,
          TMPDIR: tmp,
          TERM: 'dumb',
          LANG: 'C.UTF-8',
          ...proxyVariables(proxy),
        },
        limits: { timeMs: SESSION_MS, outputBytes: 16_000_000 },
        marker: `${dir}#${serial}`,
        onEvent(event) {
          events.push(event);
          for (const look of waiting) look();
          return undefined;
        },
        ...overrides,
      };
      const when = <T>(find: () => T | undefined): Promise<T> =>
        new Promise((resolve) => {
          const look = () => {
            const value = find();
            if (value === undefined) return;
            waiting.delete(look);
            resolve(value);
          };
          waiting.add(look);
          look();
        });
      const session = await executor.run(request);
      return {
        session,
        request,
        events,
        until: (matches) => when(() => events.find(matches)),
        turn: (count) => when(() => events.filter((event) => event.type === 'turn')[count - 1]),
      };
    },

    async [Symbol.asyncDispose]() {
      await Promise.all([
        model.close(),
        tools[Symbol.asyncDispose](),
        proxy[Symbol.asyncDispose](),
      ]);
      await rm(dir, { recursive: true, force: true });
    },
  };
}
