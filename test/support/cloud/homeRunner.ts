import { chainEntryHash, CHAIN_START } from '../../../src/base/system/homes/chainEntryHash.ts';
import { sha256 } from '../../../src/base/system/ids/ids.ts';
import type { Frame } from '../../../src/contract/channel/frames.ts';
import { MAX_PART_BYTES } from '../../../src/contract/channel/limits.ts';
import type { ClaimBody, CreateHomeBody } from '../../../src/contract/schema/cloud/home.ts';
import { BareRunner, pairHome, waitUntil } from './testTeam.ts';
import type { TestControlPlane } from './startTestControlPlane.ts';

export interface TestEntry {
  n: number;
  generation: number;
  hash: string;
  body: Uint8Array;
}

const encoder = new TextEncoder();

/** Entries that follow each other: the history of a home, as its own runner has it. */
export class TestChain {
  n: number;
  hash: string;
  readonly entries: TestEntry[] = [];

  constructor(n = 0, hash = CHAIN_START) {
    this.n = n;
    this.hash = hash;
  }

  /** The next one; its body says its number unless another is given. */
  add(generation: number, body: Uint8Array = encoder.encode(`entry ${this.n + 1}`)): TestEntry {
    this.n += 1;
    this.hash = chainEntryHash(this.hash, { n: this.n, generation, body });
    const entry = { n: this.n, generation, hash: this.hash, body };
    this.entries.push(entry);
    return entry;
  }
}

export interface JsonAnswer {
  status: number;
  body: Record<string, unknown> & { code?: string };
}

/** A runner with the log of its home, as far as a control plane sees one. */
export class HomeRunner {
  node: Pick<TestControlPlane, 'url'>;
  readonly token: string;
  readonly runnerId: string;
  readonly homeId: string;
  generation = 0;
  chain = new TestChain();

  constructor(
    node: Pick<TestControlPlane, 'url'>,
    { token, runnerId, homeId }: { token: string; runnerId: string; homeId: string },
  ) {
    this.node = node;
    this.token = token;
    this.runnerId = runnerId;
    this.homeId = homeId;
  }

  /** Pairs a home; its log has not begun. */
  static async pair(
    node: TestControlPlane,
    options: Parameters<typeof pairHome>[1] = {},
  ): Promise<HomeRunner> {
    const { homeId = 'home1' } = options;
    const { body } = await pairHome(node, options);
    return new HomeRunner(node, { token: body.token, runnerId: body.runnerId, homeId });
  }

  /** One whose log has begun at an empty store, and which has claimed it. */
  static async open(
    node: TestControlPlane,
    options: Parameters<typeof pairHome>[1] = {},
  ): Promise<HomeRunner> {
    const runner = await HomeRunner.pair(node, options);
    await runner.create();
    await runner.claim();
    return runner;
  }

  send(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.node.url}${path}`, {
      ...init,
      method,
      headers: { Authorization: `Bearer ${this.token}`, ...init.headers },
    });
  }

  async ask(method: string, path: string, body?: object): Promise<JsonAnswer> {
    const reply = await this.send(method, `/runner${path}`, {
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? {} : JSON.parse(text) };
  }

  create(more: Partial<CreateHomeBody> = {}): Promise<JsonAnswer> {
    return this.ask('POST', '/home', {
      n: 0,
      hash: CHAIN_START,
      generation: 0,
      storeVersion: 1,
      homeId: this.homeId,
      ...more,
    });
  }

  /** Claims at its own newest entry; takes the generation over where that succeeds. */
  async claim(more: Partial<ClaimBody> = {}): Promise<JsonAnswer> {
    const { generation, chain } = this;
    const answer = await this.ask('POST', '/home/claim', {
      generation,
      head: chain.n,
      hash: chain.hash,
      storeVersion: 1,
      program: '0.2.0',
      instance: `i${generation}`,
      file: { generation, n: chain.n, hash: chain.hash },
      ...more,
    });
    if (answer.status === 200) this.generation = Number(answer.body.generation);
    return answer;
  }

  release(): Promise<JsonAnswer> {
    const { generation, chain } = this;
    return this.ask('POST', '/home/release', { generation, n: chain.n, hash: chain.hash });
  }

  /** A welcomed socket. */
  async connect(hello: Partial<Frame<'hello'>> = {}): Promise<HomeSocket> {
    const bare = new BareRunner(this.node, this.token);
    const { generation, chain, homeId } = this;
    const home = { generation, n: chain.n, hash: chain.hash };
    await bare.hello({ homeId, instance: homeId, home, ...hello });
    return new HomeSocket(bare);
  }

  add(body?: Uint8Array): TestEntry {
    return this.chain.add(this.generation, body);
  }

  /** Uploads bytes as a checkpoint in parts, and completes it. */
  async uploadCheckpoint(
    bytes: Uint8Array,
    at = this.chain,
    storeVersion = 1,
  ): Promise<JsonAnswer> {
    const PART = 1024 * 1024;
    let parts = 0;
    for (let from = 0; from < bytes.length; from += PART, parts += 1)
      await this.putPart(at.n, parts, bytes.subarray(from, from + PART));
    return this.ask('POST', `/home/checkpoints/${at.n}`, {
      sha256: sha256(bytes),
      bytes: bytes.length,
      parts,
      hash: at.hash,
      storeVersion,
    });
  }

  async putPart(n: number, part: number, body: Uint8Array, digest = sha256(body)): Promise<number> {
    const reply = await this.send('PUT', `/runner/home/checkpoints/${n}/parts/${part}`, {
      body: Buffer.from(body),
      headers: { 'X-Svc-Sha256': digest, 'content-type': 'application/octet-stream' },
    });
    await reply.arrayBuffer();
    return reply.status;
  }

  /** The entries that the control plane gives. */
  async readEntries(after: number, limit?: number): Promise<TestEntry[]> {
    const more = limit === undefined ? '' : `&limit=${limit}`;
    const reply = await this.send('GET', `/runner/home/entries?after=${after}${more}`);
    return parseEntries(Buffer.from(await reply.arrayBuffer()));
  }
}

function parseEntries(bytes: Buffer): TestEntry[] {
  const entries: TestEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const head = JSON.parse(bytes.subarray(at + 4, at + 4 + length).toString());
    at += 4 + length;
    const { n, generation, hash, size } = head;
    entries.push({ n, generation, hash, body: Uint8Array.from(bytes.subarray(at, at + size)) });
    at += size;
  }
  return entries;
}

/** Between two beats of a runner of a test, ms: its takeover window may be short. */
const BEAT_MS = 250;

/** The socket of a runner, as far as the log uses it. */
export class HomeSocket {
  readonly bare: BareRunner;

  /** It beats until it is closed, or its runner would count as lost. */
  constructor(bare: BareRunner) {
    this.bare = bare;
    let n = 0;
    const beating = setInterval(() => {
      n += 1;
      if (bare.socket.readyState === bare.socket.OPEN) bare.send({ type: 'beat', n });
    }, BEAT_MS);
    void bare.closed.then(() => clearInterval(beating));
  }

  /** `jobs`: rows of the list; left out = as a runner of the version before, which sends none. */
  commit({ n, generation, hash, body }: TestEntry, jobs?: readonly object[]): void {
    const size = body.length;
    const rows = jobs === undefined ? {} : { jobs: [...jobs] };
    const first = body.subarray(0, MAX_PART_BYTES);
    this.bare.send({ type: 'commit', n, generation, hash, size, ...rows, body: first });
    for (let from = MAX_PART_BYTES; from < size; from += MAX_PART_BYTES) {
      const end = from + MAX_PART_BYTES >= size;
      const part = body.subarray(from, from + MAX_PART_BYTES);
      this.bare.send({ type: 'commitPart', n, ...(end ? { end: true } : {}), body: part });
    }
  }

  /** The newest entry that was acknowledged on this socket; 0 = none. */
  get committed(): number {
    return this.bare.frames.reduce(
      (most, frame) => (frame.type === 'committed' ? Math.max(most, frame.n) : most),
      0,
    );
  }

  get refusal() {
    return this.bare.frames.find((frame) => frame.type === 'refused');
  }

  async awaitCommitted(n: number): Promise<void> {
    await waitUntil(() => this.committed >= n || this.refusal !== undefined);
    if (this.committed < n) throw new Error(`refused: ${JSON.stringify(this.refusal)}`);
  }

  close(): void {
    this.bare.socket.terminate();
  }
}
