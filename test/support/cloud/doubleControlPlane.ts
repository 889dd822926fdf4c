import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type WebSocket from 'ws';
import { WebSocketServer } from 'ws';
import { CHAIN_START, chainEntryHash } from '../../../src/base/system/homes/chainEntryHash.ts';
import { ERROR_CODES, type ErrorCode } from '../../../src/base/errors/errors.ts';
import { sha256 } from '../../../src/base/system/ids/ids.ts';
import { decodeFrame } from '../../../src/contract/channel/decodeFrame.ts';
import { encodeFrame } from '../../../src/contract/channel/encodeFrame.ts';
import type { Frame, ReceivedFrame } from '../../../src/contract/channel/frames.ts';
import type { ClaimBody, HomeState } from '../../../src/contract/schema/cloud/home.ts';
import type { LogEntry, LogPosition } from '../../../src/kernel/sqlite/log/homeLog.ts';

type Checkpoint = NonNullable<HomeState['checkpoint']>;

export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly data: object;
  constructor(code: ErrorCode, data: object = {}) {
    super(code);
    this.code = code;
    this.data = data;
  }
}

/** Entries of one reply. */
const PAGE = 3;
const TAKEOVER_MS = 60_000;

const readBody = async (req: IncomingMessage): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of req) pieces.push(piece);
  return Buffer.concat(pieces);
};

/** A log as it was at some time. */
export type SavedLog = Pick<DoubleControlPlane, 'home' | 'entries' | 'checkpoint' | 'stored'>;

/**
 * What a runner sees of a control plane that has the log of one home: in memory, so that a test can change a byte,
 * lose an entry, go back to yesterday, and be away.
 */
export class DoubleControlPlane {
  home: Pick<HomeState, 'homeId' | 'generation' | 'storeVersion' | 'state'> | null = null;
  /** Before the first entry. */
  begin: LogPosition = { n: 0, hash: CHAIN_START };
  entries: LogEntry[] = [];
  checkpoint: Checkpoint | null = null;
  /** Bytes of checkpoints by entry. */
  stored = new Map<number, Buffer>();
  readonly parts = new Map<string, Buffer>();
  readonly blobs = new Map<string, Buffer>();
  /** `METHOD path` of every request. */
  readonly requests: string[] = [];
  /** Newest entries of machines whose state does not fit the log, as they were reported. */
  readonly diverged: number[] = [];
  isAway = false;
  /** Entries up to this one are no longer kept. */
  entriesAfter = 0;
  /** Another runner that has the home. */
  holder: HomeState['holder'] = null;
  leaseUntil: string | null = null;
  /** What becomes of a frame of the runner: by default it is taken once. */
  onFrame: (frame: ReceivedFrame) => ReceivedFrame[] = (frame) => [frame];
  /** Called before a request is answered; what it throws is the refusal. */
  onRequest: (request: string) => void | Promise<void> = () => undefined;
  /** No acknowledgement is sent. */
  isMute = false;
  readonly #server: Server;
  readonly #sockets = new Set<WebSocket>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(): Promise<DoubleControlPlane> {
    const server = createServer((req, res) => void cloud.#answer(req, res));
    const cloud = new DoubleControlPlane(server);
    const sockets = new WebSocketServer({ server, path: '/ws/runner', perMessageDeflate: false });
    sockets.on('connection', (socket) => cloud.#connect(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return cloud;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get head(): LogPosition {
    return this.entries.at(-1) ?? this.begin;
  }

  save(): SavedLog {
    return structuredClone({
      home: this.home,
      entries: this.entries,
      checkpoint: this.checkpoint,
      stored: this.stored,
    });
  }

  /** It is what it was. */
  restore(saved: SavedLog): void {
    Object.assign(this, saved);
  }

  /** Breaks every connection; with `isAway` none comes back. */
  cut(): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #state(): HomeState {
    if (this.home === null) throw new Refusal('not-found');
    if (this.holder !== null) throw new Refusal('home-claimed', { holder: this.holder });
    return {
      ...this.home,
      runnerId: 'runner1',
      head: this.head.n,
      hash: this.head.hash,
      entriesAfter: this.entriesAfter,
      policy: 'auto',
      takeoverMs: TAKEOVER_MS,
      checkpoint: this.checkpoint,
      holder: null,
      leaseUntil: this.leaseUntil,
    };
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const request = `${req.method} ${req.url}`;
    try {
      const body = await readBody(req);
      if (this.isAway) throw new Refusal('temporarily-unavailable');
      this.requests.push(request);
      await this.onRequest(request);
      const reply = this.#reply(request, body, req);
      if (Buffer.isBuffer(reply)) {
        const from = Number(/^bytes=(\d+)-/.exec(req.headers.range ?? '')?.[1] ?? 0);
        res.writeHead(from > 0 ? 206 : 200).end(reply.subarray(from));
      } else res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
    } catch (error) {
      const { code, data } = error instanceof Refusal ? error : new Refusal('internal');
      const [status, title] = ERROR_CODES[code];
      const problem = { code, status, title, detail: `${code} ${error}`, ...data };
      res.writeHead(status, { 'content-type': 'application/problem+json' });
      res.end(JSON.stringify(problem));
    }
  }

  #reply(request: string, body: Buffer, req: IncomingMessage): object | Buffer {
    const json = () => JSON.parse(body.toString('utf8'));
    const [, method, path = ''] = /^(\w+) ([^?]*)/.exec(request) ?? [];
    const [, n = '', rest = ''] = /^\/runner\/home\/checkpoints\/(\d+)(.*)$/.exec(path) ?? [];
    const [, part] = /^\/parts\/(\d+)$/.exec(rest) ?? [];
    const [, blob] = /^\/runner\/blobs\/([0-9a-f]{64})$/.exec(path) ?? [];
    if (path === '/runner/home' && method === 'GET') return this.#state();
    if (path === '/runner/home' && method === 'DELETE') return this.#leave();
    if (path === '/runner/home') return this.#create(json());
    if (path === '/runner/home/diverged') {
      this.diverged.push(json().n);
      return {};
    }
    if (path === '/runner/home/reseed') {
      this.#leave();
      return this.#create({ homeId: 'home1', ...json() });
    }
    if (path === '/runner/home/claim') return this.#claim(json());
    if (path === '/runner/home/entries')
      return this.#listEntries(Number(new URLSearchParams(request.split('?')[1]).get('after')));
    if (part !== undefined) {
      if (sha256(body) !== req.headers['x-svc-sha256']) throw new Refusal('invalid');
      this.parts.set(`${n}/${part}`, body);
      return {};
    }
    if (rest === '/parts')
      return {
        parts: [...this.parts].flatMap(([key, bytes]) => {
          const [of, number] = key.split('/');
          if (of !== n) return [];
          return [{ part: Number(number), sha256: sha256(bytes), bytes: bytes.length }];
        }),
      };
    if (n !== '' && method === 'POST') return this.#complete(Number(n), json());
    if (n !== '') return this.stored.get(Number(n)) ?? Buffer.alloc(0);
    if (blob !== undefined && method === 'PUT') {
      const [, from = '0', total = ''] =
        /^bytes (\d+)-\d+\/(\d+)$/.exec(String(req.headers['content-range'] ?? '')) ?? [];
      const draft = from === '0' ? Buffer.alloc(0) : (this.blobs.get(`draft ${blob}`) ?? body);
      const whole = Buffer.concat([draft, body]);
      if (total !== '' && whole.length < Number(total)) {
        this.blobs.set(`draft ${blob}`, whole);
        return {};
      }
      if (sha256(whole) !== blob) throw new Refusal('invalid');
      this.blobs.set(blob, whole);
      return {};
    }
    const bytes = this.blobs.get(blob ?? '');
    if (bytes === undefined) throw new Refusal('not-found');
    return bytes;
  }

  #leave(): object {
    if (this.home === null) throw new Refusal('not-found');
    this.home = null;
    this.entries = [];
    this.checkpoint = null;
    this.parts.clear();
    return {};
  }

  #create({ n, hash, generation, storeVersion, homeId }: LogPosition & HomeState): HomeState {
    if (this.home !== null) throw new Refusal('conflict');
    this.begin = { n, hash };
    this.entriesAfter = n;
    this.home = { homeId, generation, storeVersion, state: n === 0 ? 'open' : 'seeding' };
    return this.#state();
  }

  #claim({ generation, head, hash, file }: ClaimBody): object {
    const state = this.#state();
    const knownEntry = this.entries.find(({ n }) => n === file?.n);
    if (file && knownEntry && knownEntry.hash !== file.hash)
      throw new Refusal('conflict', { reason: 'ahead' });
    if (this.leaseUntil !== null && Date.parse(this.leaseUntil) > Date.now())
      throw new Refusal('lease-running', { until: this.leaseUntil });
    if (state.generation !== generation || state.head !== head || state.hash !== hash)
      throw new Refusal('home-claimed');
    if (this.home !== null) this.home.generation += 1;
    return { generation: generation + 1, takeoverMs: TAKEOVER_MS };
  }

  #listEntries(after: number): Buffer {
    if (after < this.entriesAfter) throw new Refusal('not-found');
    const page = this.entries.filter(({ n }) => n > after).slice(0, PAGE);
    return Buffer.concat(
      page.flatMap(({ n, generation, hash, body }) => {
        const head = Buffer.from(JSON.stringify({ n, generation, hash, size: body.length }));
        const length = Buffer.alloc(4);
        length.writeUInt32BE(head.length);
        return [length, head, body];
      }),
    );
  }

  #complete(n: number, body: Omit<Checkpoint, 'n'>): Checkpoint {
    const parts = Array.from({ length: body.parts }, (_, i) => this.parts.get(`${n}/${i}`));
    const whole = Buffer.concat(parts.map((part) => part ?? Buffer.alloc(0)));
    const own = n === this.begin.n ? this.begin.hash : this.entries.find((e) => e.n === n)?.hash;
    if (sha256(whole) !== body.sha256 || own !== body.hash) throw new Refusal('invalid');
    this.stored.set(n, whole);
    this.checkpoint = { n, ...body };
    if (this.home !== null)
      Object.assign(this.home, { state: 'open', storeVersion: body.storeVersion });
    return this.checkpoint;
  }

  #connect(socket: WebSocket): void {
    if (this.isAway) {
      socket.terminate();
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    const open: { frame: ReceivedFrame<'commit'> | null; parts: Uint8Array[] } = {
      frame: null,
      parts: [],
    };
    const send = (frame: Frame): void => socket.send(encodeFrame(frame));
    socket.on('message', (data: Buffer) => {
      const frame = decodeFrame(data);
      if (frame === null) return;
      for (const one of this.onFrame(frame)) this.#take(one, send, open);
    });
  }

  #take(
    frame: ReceivedFrame,
    send: (frame: Frame) => void,
    open: { frame: ReceivedFrame<'commit'> | null; parts: Uint8Array[] },
  ): void {
    if (frame.type === 'hello') send(this.#welcome());
    else if (frame.type === 'beat') send({ type: 'beat', n: frame.n, lease: true });
    else if (frame.type === 'jobs')
      send({ type: 'acknowledged', source: frame.source, n: frame.n });
    else if (frame.type === 'commit' || frame.type === 'commitPart') {
      if (frame.type === 'commit') Object.assign(open, { frame, parts: [] });
      open.parts.push(frame.body);
      const { frame: commit } = open;
      const body = Buffer.concat(open.parts);
      if (commit === null || body.length < commit.size) return;
      const refusal = this.commit({ ...commit, body });
      const { generation = 0 } = this.home ?? {};
      if (refusal === null) {
        if (!this.isMute) send({ type: 'committed', n: commit.n });
      } else
        send({
          type: 'refused',
          n: commit.n,
          reason: refusal,
          generation,
          head: this.head.n,
          hash: this.head.hash,
        });
    }
  }

  #welcome(): Frame<'welcome'> {
    const { home, head } = this;
    const { generation = 0 } = home ?? {};
    return {
      type: 'welcome',
      session: 's',
      team: { id: 'acme', slug: 'acme', name: 'Acme' },
      runner: { id: 'runner1', name: 'mac', ownerId: 'ada' },
      beatMs: 10_000,
      lostMs: 60_000,
      jobs: null,
      ...(home === null
        ? {}
        : { home: { generation, head: head.n, hash: head.hash, takeoverMs: TAKEOVER_MS } }),
    };
  }

  /** The one statement of a commit. */
  commit(entry: LogEntry): 'fenced' | 'gap' | 'malformed' | null {
    const { n, generation, hash, body } = entry;
    if (generation !== this.home?.generation) return 'fenced';
    if (this.entries.some((one) => one.n === n && one.hash === hash)) return null;
    if (n !== this.head.n + 1) return 'gap';
    if (chainEntryHash(this.head.hash, entry) !== hash) return 'malformed';
    this.entries.push({ n, generation, hash, body });
    return null;
  }
}
