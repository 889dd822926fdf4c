import { neverAway } from '../../../src/base/concurrency/unlessAway.ts';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { Intake } from '../../../src/contract/planning/intake.ts';
import { type AppOptions, createApp, type ToolEndpoint } from '../../../src/api/server/app.ts';
import type { ConnectionLimits } from '../../../src/api/server/connections.ts';
import { type Listening, listenForRequests } from '../../../src/api/server/listenForRequests.ts';
import type { HttpLog } from '../../../src/api/server/replies/problems.ts';
import type { Ids } from '../../../src/base/system/ids/ids.ts';
import type { Settings } from '../../../src/contract/schema/runner/settings.ts';
import { FakeConfiguration } from './fakeConfiguration.ts';
import { FakeRunner } from './fakeFacade.ts';
import { FakeIntake } from './fakeIntake.ts';
import { fakeNotifications } from './fakeNotifications.ts';
import { FakePlugins } from './fakePlugins.ts';
import { MemoryLogins } from './memoryLogins.ts';
import { MemoryTrail } from './memoryTrail.ts';
import { FakeSetUp } from './fakeSetUp.ts';
import { FakeTrust } from './fakeTrust.ts';
import { SimulatedClock } from '../charts/simulatedClock.ts';
import { unscreened } from '../standIns/unscreened.ts';
import { noBrokenRows } from '../standIns/noBrokenRows.ts';

export const TOKEN = 'the-token-of-this-test';
/** The token of an agent's session that is open. */
export const SESSION_TOKEN = 'the-token-of-a-session';

export interface Surface extends AsyncDisposable {
  runner: FakeRunner;
  intake: FakeIntake;
  plugins: FakePlugins;
  config: FakeConfiguration;
  trust: FakeTrust;
  setUp: FakeSetUp;
  trail: MemoryTrail;
  logins: MemoryLogins;
  /** Time of streams and login codes; the end of a stop runs on the machine's. */
  clock: SimulatedClock;
  url: string;
  port: number;
  /** Warnings and errors that were logged: level, details, message. */
  logged: [string, Record<string, unknown>, string][];
  /** What only the level debug shows: details, message. */
  debugged: [Record<string, unknown>, string][];
  issueLoginCode(): string;
  stopStreams(): void;
  close: Listening['close'];
}

export interface SurfaceOptions {
  auth?: Settings['server']['auth'];
  host?: string;
  tools?: Pick<ToolEndpoint, 'handle'>;
  dashboardDir?: string | null;
  /** Whether deliveries are taken; default: no. */
  webhooks?: boolean;
  /** Logins of an earlier start; default: none. */
  logins?: MemoryLogins;
  limits?: ConnectionLimits;
  /** Address of a proxy in front of the runner; default: none. */
  publicUrl?: string;
  /** Plan-mode chats; default: a fake of them. */
  intake?: Intake;
  /** What GET /metrics answers, and its own token; default: nothing. */
  metrics?: AppOptions['metrics'];
  /** The link to a control plane; default: none. */
  link?: NonNullable<AppOptions['link']>;
  /** Since when the control plane is away; default: it is not. */
  awaySince?: AppOptions['awaySince'];
  /** Default: any free one. */
  port?: number;
}

const countingIds = (): Ids => {
  let next = 0;
  return { next: () => `id-${++next}`, secret: () => `secret-${++next}` };
};

/** The surface over a fake runner on a free port of loopback. */
export async function openSurface({
  auth = 'auto',
  host = '127.0.0.1',
  tools,
  dashboardDir = null,
  webhooks = false,
  logins = new MemoryLogins(),
  limits,
  intake,
  metrics,
  link,
  awaySince = neverAway,
  port: wantedPort = 0,
  publicUrl,
}: SurfaceOptions = {}): Promise<Surface> {
  const runner = new FakeRunner();
  const fakeIntake = new FakeIntake();
  const plugins = new FakePlugins();
  const config = new FakeConfiguration();
  const trust = new FakeTrust();
  const setUp = new FakeSetUp();
  const trail = new MemoryTrail();
  const clock = new SimulatedClock();
  const logged: Surface['logged'] = [];
  const debugged: Surface['debugged'] = [];
  const log: HttpLog = {
    warn: (details, message) => void logged.push(['warn', { ...details }, message]),
    error: (details, message) => void logged.push(['error', { ...details }, message]),
    debug: (details, message) => void debugged.push([{ ...details }, message]),
  };
  const noTools: Pick<ToolEndpoint, 'handle'> = {
    handle: async (_req, res) => void res.writeHead(404).end(),
  };
  const settings = { version: '0.2.0', server: { host, port: 0, auth } };
  const app = createApp({
    awaySince,
    screen: unscreened,
    brokenRows: noBrokenRows,
    runner,
    intake: intake ?? fakeIntake,
    config,
    trust,
    setUp,
    plugins,
    notifications: fakeNotifications,
    trail,
    settings,
    publicUrl: () => publicUrl,
    token: TOKEN,
    tools: { ...(tools ?? noTools), isToken: (token) => token === SESSION_TOKEN },
    loginTable: logins,
    webhooks: () => webhooks,
    log,
    dashboardDir,
    clock,
    ids: countingIds(),
    ...(metrics ? { metrics } : {}),
    ...(link ? { link } : {}),
  });
  const { url, port, close } = await listenForRequests(app, {
    host,
    port: wantedPort,
    token: TOKEN,
    auth,
    ...(limits ? { limits } : {}),
  });
  return {
    runner,
    intake: fakeIntake,
    config,
    trust,
    setUp,
    trail,
    plugins,
    logins,
    clock,
    url,
    port,
    logged,
    debugged,
    issueLoginCode: app.issueLoginCode,
    stopStreams: app.stopStreams,
    close,
    [Symbol.asyncDispose]: close,
  };
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as JSON; null where it is none. */
  json: unknown;
}

export interface Ask {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Sends no token; default: requests that change carry it, unless headers hold a credential. */
  anonymous?: boolean;
}

/** One request by `node:http`, which sends every header and path unchanged, unlike `fetch`. */
export async function ask(
  { port }: Pick<Surface, 'port'>,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
    anonymous = method === 'GET' || method === 'HEAD',
  }: Ask = {},
): Promise<Answer> {
  const requestHeaders = anonymous || 'Cookie' in headers ? headers : { ...WITH_TOKEN, ...headers };
  const outgoing = request({
    host: '127.0.0.1',
    port,
    path,
    method,
    headers: requestHeaders,
    agent: false,
  });
  outgoing.end(body);
  const [response]: [IncomingMessage] = (await once(outgoing, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  let json: unknown = null;
  try {
    json = JSON.parse(text);
  } catch {
    // Not every answer is JSON.
  }
  return { status: response.statusCode ?? 0, headers: response.headers, text, json };
}

export const post = (
  surface: Pick<Surface, 'port'>,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  ask(surface, path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

export const WITH_TOKEN = { Authorization: `Bearer ${TOKEN}` };

export function problemIn({ status, json }: Answer): {
  status: number;
  code: unknown;
  detail: unknown;
} {
  const { code, detail } = Object(json);
  return { status, code, detail };
}
