import { access, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Scripts } from '../../../../demo/model/script.ts';
import { type ModelServer, openModelServer } from '../../../../demo/model/server.ts';
import type {
  Executor,
  Session,
  SessionEvent,
  SessionRequest,
  Steering,
} from '../../../../src/contract/session/executor.ts';
import { FakeJobPort } from '../../http/fakeAgentJob.ts';
import { inTime, PATIENCE_MS } from '../../inTime.ts';
import { serveTools } from '../toolServer.ts';

export interface Subject {
  name: string;
  /** Why it cannot be tried here, such as a program that is not installed; null = it can. */
  missing: string | null;
  /** The executor, asking its model at this address; `config`: settings beside its own. */
  open(modelUrl: string, config?: Readonly<Record<string, number>>): Promise<Executor>;
  /** Its own tools by their names in the allowlist; null = it has none or offers them otherwise. */
  ownTools: Readonly<Record<string, string>> | null;
  model: string;
  /** A program of others: what it reads it tells its model, whatever it is. Default: false. */
  isProgram?: boolean;
  /** It tells tokens of answers that broke off. Default: true. */
  countsBroken?: boolean;
  /** It asks again when an answer broke off. Default: true. */
  triesBrokenAgain?: boolean;
  /** The log says when a request is tried again. Default: true. */
  reportsTries?: boolean;
}

/** A session with a scripted model, the real tool server, a job and a checkout. */
export interface Stage {
  model: ModelServer;
  port: FakeJobPort;
  executor: Executor;
  dir: string;
  request: SessionRequest;
  events: SessionEvent[];
  /** Resolves when an event, past or to come, matches; rejects after a minute without one. */
  until(matches: (event: SessionEvent) => boolean): Promise<SessionEvent>;
  /** Starts the session of the request; it is ended with the stage, if it did not end before. */
  start(changes?: Partial<SessionRequest>): Promise<{ session: Session; steering: Steering }>;
  play(changes?: Partial<SessionRequest>): ReturnType<() => Session['result']>;
  [Symbol.asyncDispose](): Promise<void>;
}

const LIMITS = { timeMs: 60_000, outputBytes: 1_000_000 };
let serial = 0;

/** `files`: by path below the job's folder, in which `shop` is the checkout. */
export async function openStage(
  subject: Subject,
  scripts: Scripts,
  files: Readonly<Record<string, string>> = {},
  config: Readonly<Record<string, number>> = {},
): Promise<Stage> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'svc-contract-')));
  const dir = join(root, 'shop');
  const env = {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: join(root, 'home'),
    TMPDIR: join(root, 'tmp'),
    LANG: 'C.UTF-8',
  };
  for (const folder of [dir, join(root, 'overlay'), env.HOME, env.TMPDIR])
    await mkdir(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const model = await openModelServer({ scripts });
  const port = new FakeJobPort();
  const tools = await serveTools(port);
  const executor = await subject.open(model.url, config);
  const events: SessionEvent[] = [];
  const sessions: Session[] = [];
  let waiting: { matches(event: SessionEvent): boolean; resolve(event: SessionEvent): void }[] = [];
  serial += 1;
  const request: SessionRequest = {
    jobId: 'shop-job-1',
    visit: 2,
    session: 1,
    phase: 'coding',
    cwd: dir,
    sessionDir: join(root, '_sessions', '2.1'),
    overlayDir: join(root, 'overlay'),
    systemPrompt: 'You are careful.',
    kickoff: '@@work Begin.',
    resume: null,
    tools: { url: tools.url, token: tools.opened.token },
    mcpServers: [],
    builtInTools: null,
    llm: { provider: executor.id, model: subject.model, reasoningEffort: null },
    command: null,
    env,
    limits: LIMITS,
    marker: `contract-${process.pid}-${serial}`,
    onEvent(event) {
      events.push(event);
      const fulfilled = waiting.filter(({ matches }) => matches(event));
      waiting = waiting.filter((one) => !fulfilled.includes(one));
      for (const { resolve } of fulfilled) resolve(event);
      return undefined;
    },
  };
  const start = async (changes: Partial<SessionRequest> = {}) => {
    const session = await executor.run({ ...request, ...changes });
    sessions.push(session);
    const { steering } = session;
    if (!steering) throw new Error(`A session of ${subject.name} cannot be steered.`);
    return { session, steering };
  };
  const until: Stage['until'] = (matches) => {
    const match = events.find(matches);
    if (match) return Promise.resolve(match);
    const event = new Promise<SessionEvent>((resolve) => waiting.push({ matches, resolve }));
    const what = () => `an event with ${matches}; so far: ${JSON.stringify(events)}`;
    return inTime(event, what, LIMITS.timeMs);
  };
  return {
    model,
    port,
    executor,
    dir,
    request,
    events,
    until,
    start,
    async play(changes) {
      const { session, steering } = await start(changes);
      await Promise.race([until(({ type }) => type === 'turn'), session.result]);
      steering.close();
      return session.result;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(sessions.map((session) => session.end(500)));
      await Promise.all([model.close(), tools[Symbol.asyncDispose]()]);
      await rm(root, { recursive: true, force: true });
    },
  };
}

/**
 * Resolves when a file exists; commands of agents report this way that they run. Rejects after 30 s.
 */
export async function fileIsThere(path: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (
    !(await access(path).then(
      () => true,
      () => false,
    ))
  ) {
    if (Date.now() > deadline) throw new Error(`waited ${PATIENCE_MS / 1000} s for ${path}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/**
 * How often a text occurs in the messages of the model's newest request of a script.
 */
export const timesAsked = ({ model }: Stage, text: string): number =>
  JSON.stringify(model.requests.played.at(-1)?.body ?? {}).split(text).length - 1;
