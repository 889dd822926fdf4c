import { Lease } from '../../../src/cloudLink/homes/lease.ts';
import { machineClocks } from '../../../src/cloudLink/homes/machineClocks.ts';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import WebSocket from 'ws';
import { decodeFrame } from '../../../src/contract/channel/decodeFrame.ts';
import { encodeFrame } from '../../../src/contract/channel/encodeFrame.ts';
import type { Frame, ReceivedFrame } from '../../../src/contract/channel/frames.ts';
import type { CloudLinkOptions } from '../../../src/cloudLink/cloudLink.ts';
import type { Credentials } from '../../../src/cloud/server/cloudCall.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { createHeaderCredentials } from './createHeaderCredentials.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import { Looks } from '../looks.ts';
import { startTestControlPlane, type TestControlPlane } from './startTestControlPlane.ts';

/** People of tests say who they are in a header. */
const USER_HEADER = 'x-test-user';
export const asUser = (userId: string): Record<string, string> => ({
  [USER_HEADER]: userId,
  'content-type': 'application/json',
});

export const testCredentials: Credentials = createHeaderCredentials(USER_HEADER);

const ROLES = { ada: 'owner', ben: 'member', vic: 'viewer', adm: 'admin' } as const;

/** A team `acme` with a person of each role, and another one, `other`, with one person. */
export async function seedTeams(databaseUrl: string): Promise<void> {
  const { sql, close } = await openDatabase(databaseUrl, { log: silentLog, max: 1 });
  const now = new Date();
  for (const userId of [...Object.keys(ROLES), 'eve'])
    await sql`insert into users (id, email, name, created_at) values (${userId}, ${`${userId}@example.com`}, ${userId}, ${now})`;
  for (const id of ['acme', 'other'])
    await sql`insert into teams (id, slug, name, created_at) values (${id}, ${id}, ${id}, ${now})`;
  for (const [userId, role] of Object.entries(ROLES))
    await sql`insert into members (team_id, user_id, role, created_at) values ('acme', ${userId}, ${role}, ${now})`;
  await sql`insert into members (team_id, user_id, role, created_at) values ('other', 'eve', 'owner', ${now})`;
  await close();
}

/** A node with these teams. */
export async function startTeamNode(
  options: Parameters<typeof startTestControlPlane>[0] = {},
): Promise<TestControlPlane> {
  const node = await startTestControlPlane({ credentials: testCredentials, ...options });
  if (options.databaseUrl === undefined) await seedTeams(node.databaseUrl);
  return node;
}

/** Pairs a home, and gives the reply of `POST /pair`. */
export async function pairHome(
  node: TestControlPlane,
  { team = 'acme', userId = 'ada', homeId = 'home1', name = 'mac', pool = false } = {},
) {
  const pairing = await node.ask(`/teams/${team}/pairing-codes`, {
    method: 'POST',
    headers: asUser(userId),
    body: JSON.stringify(pool ? { pool, labels: ['gpu'] } : {}),
  });
  const { code } = await pairing.json();
  const reply = await node.ask('/pair', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, name, homeId }),
  });
  return { status: reply.status, code, body: await reply.json() };
}

/** Resolves once this is so. */
export async function waitUntil(
  isSo: () => boolean | Promise<boolean>,
  ms = 20_000,
): Promise<void> {
  const deadline = Date.now() + ms;
  const looks = new Looks();
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('it did not come to that');
    await looks.pause();
  }
}

export const HELLO: Frame<'hello'> = {
  type: 'hello',
  program: '0.2.0',
  protocol: 1,
  store: 1,
  homeId: 'home1',
  instance: 'i1',
  name: 'mac',
  labels: [],
  accept: 'own',
  slots: 2,
  state: 'running',
  executors: [],
  forges: [],
  repositories: [],
  jobs: { source: 's', n: 0 },
};

type FrameOf<Name extends Frame['type']> = Extract<ReceivedFrame, { type: Name }>;

const isOfType = <Name extends Frame['type']>(
  frame: ReceivedFrame,
  type: Name,
): frame is FrameOf<Name> => frame.type === type;

/** The bare socket of a runner, which says what a test lets it say. */
export class BareRunner {
  readonly socket: WebSocket;
  readonly frames: ReceivedFrame[] = [];
  /** Code and reason of the close. */
  readonly closed: Promise<{ code: number; reason: string }>;
  /** Status of a refused handshake. */
  readonly refused: Promise<{ status: number; retryAfter: string | undefined }>;

  constructor(node: Pick<TestControlPlane, 'url'>, token: string) {
    this.socket = new WebSocket(`${node.url.replace('http', 'ws')}/ws/runner`, {
      headers: { authorization: `Bearer ${token}` },
      perMessageDeflate: false,
    });
    this.socket.on('message', (data: Buffer) => {
      const frame = decodeFrame(data);
      if (frame !== null) this.frames.push(frame);
    });
    this.socket.on('error', () => undefined);
    this.closed = new Promise((resolve) =>
      this.socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
    );
    this.refused = new Promise((resolve) =>
      this.socket.once('unexpected-response', (_request, { statusCode = 0, headers }) => {
        resolve({ status: statusCode, retryAfter: headers['retry-after'] });
        this.socket.terminate();
      }),
    );
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.socket.once('open', () => resolve()));
  }

  send(frame: Frame | Uint8Array): void {
    this.socket.send(frame instanceof Uint8Array ? frame : encodeFrame(frame));
  }

  async find<Name extends Frame['type']>(type: Name): Promise<FrameOf<Name>> {
    const frames: FrameOf<Name>[] = [];
    await waitUntil(() => {
      for (const frame of this.frames) if (isOfType(frame, type)) frames.push(frame);
      return frames.length > 0;
    });
    const [first] = frames;
    if (first === undefined) throw new Error(`no ${type} came`);
    return first;
  }

  /** Connected and welcome. */
  async hello(hello: Partial<Frame<'hello'>> = {}): Promise<FrameOf<'welcome'>> {
    await this.open();
    this.send({ ...HELLO, ...hello });
    return this.find('welcome');
  }
}

export interface OwnServer {
  url: string;
  requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
  /** The same without the port. */
  listener: RequestListener;
  close(): Promise<void>;
}

/** What stands where a runner's own port is. */
export async function openOwnServer(
  answer: (req: IncomingMessage, res: ServerResponse, body: string) => void,
): Promise<OwnServer> {
  const requests: OwnServer['requests'] = [];
  const listener: RequestListener = async (req, res) => {
    let body = '';
    for await (const part of req) body += part;
    requests.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body });
    answer(req, res, body);
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    listener,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Options of a link for a runner without jobs. */
export const linkOptions = (
  url: string,
  token: string,
  own: RequestListener | null,
  more: Partial<CloudLinkOptions> = {},
): CloudLinkOptions => ({
  url,
  token,
  program: '0.2.0',
  store: 1,
  homeId: 'home1',
  instance: randomIds.next(),
  describe: () => ({
    name: 'mac',
    labels: ['linux'],
    accept: 'own',
    slots: 2,
    executors: ['command'],
    forges: ['local'],
    repositories: [],
    webhooks: [],
    adopts: 0,
  }),
  load: () => ({ slots: 2, free: 1, state: 'running' }),
  lease: new Lease(machineClocks),
  jobs: { jobs: async () => ({ jobs: [], total: 0 }), watchJobs: () => () => undefined },
  app: { answer: () => own, token: 'own-token', secret: 'link-secret' },
  webhooks: { take: async () => ({ outcome: 'taken' }), takeSenders: () => undefined },
  homeLog: () => null,
  saveToken: async () => undefined,
  onWelcome: () => undefined,
  onOverlay: () => undefined,
  onAdopt: async () => ({ ok: false, reason: 'It takes over no homes.' }),
  onConnection: () => undefined,
  clock: systemClock,
  random: () => 0,
  log: silentLog,
  ...more,
});
