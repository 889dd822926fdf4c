import { decodeFrame } from '../../../src/contract/channel/decodeFrame.ts';
import type { Frame, ReceivedFrame } from '../../../src/contract/channel/frames.ts';
import { BareRunner, HELLO, pairHome } from './testTeam.ts';
import type { TestControlPlane } from './startTestControlPlane.ts';

export interface DoubleRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  person: ReceivedFrame<'request'>['person'];
}

export interface DoubleReply {
  status: number;
  body?: string;
  headers?: Record<string, string>;
}

/** null: it does not answer. */
export type DoubleAnswer = (
  request: DoubleRequest,
) => DoubleReply | null | Promise<DoubleReply | null>;

export const toJsonReply = (status: number, value: object): DoubleReply => ({
  status,
  body: JSON.stringify(value),
  headers: { 'content-type': status < 400 ? 'application/json' : 'application/problem+json' },
});

export const toProblemReply = (status: number, code: string, more: object = {}): DoubleReply =>
  toJsonReply(status, { status, code, title: code, detail: `It says ${code}.`, ...more });

/** The jobs of a home: what a real one keeps in its database. */
export class DoubleHome {
  readonly made = new Map<string, string>();
  /** Requests to make a job, repeats included. */
  asked = 0;

  make(key: string): string {
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const id = `job-${this.made.size + 1}-${key.slice(-6).toLowerCase()}`;
    this.made.set(key, id);
    return id;
  }
}

export interface DoubleOptions {
  homeId: string;
  hello?: Partial<Frame<'hello'>>;
  free?: number;
  home?: DoubleHome;
  answer?: DoubleAnswer;
}

/** A runner that speaks the frames, and answers what a test lets it answer. */
export class DoubleRunner {
  readonly bare: BareRunner;
  readonly home: DoubleHome;
  readonly requests: DoubleRequest[] = [];
  readonly #options: DoubleOptions;
  readonly #open = new Map<string, { head: ReceivedFrame<'request'>; parts: Uint8Array[] }>();
  #beats = 0;
  #jobs = 0;

  constructor(node: Pick<TestControlPlane, 'url'>, token: string, options: DoubleOptions) {
    this.bare = new BareRunner(node, token);
    this.home = options.home ?? new DoubleHome();
    this.#options = options;
    this.bare.socket.on('message', (data: Buffer) => {
      const frame = decodeFrame(data);
      if (frame?.type === 'request') this.#begin(frame);
      if (frame?.type === 'part') this.#takePart(frame);
    });
  }

  async connect(): Promise<this> {
    const { homeId, hello = {}, free = 2 } = this.#options;
    await this.bare.hello({ ...HELLO, homeId, instance: homeId, accept: 'team', ...hello });
    this.beat({ free });
    return this;
  }

  beat(load: { free?: number; slots?: number; state?: Frame<'hello'>['state'] }): void {
    this.#beats += 1;
    this.bare.send({ type: 'beat', n: this.#beats, ...load });
  }

  /** Rows of its list. */
  sendJobs(rows: readonly object[], range?: Frame<'jobs'>['range']): void {
    this.#jobs += 1;
    const body = new TextEncoder().encode(JSON.stringify(rows));
    const place = { source: 's', n: this.#jobs, mark: `m${this.#jobs}` };
    this.bare.send({ type: 'jobs', ...place, ...(range ? { range } : {}), body });
  }

  close(): void {
    this.bare.socket.terminate();
  }

  #begin(head: ReceivedFrame<'request'>): void {
    this.#open.set(head.id, { head, parts: [] });
    if (head.size === 0) void this.#answer(head.id);
  }

  #takePart({ id, body }: ReceivedFrame<'part'>): void {
    const one = this.#open.get(id);
    if (one === undefined) return;
    one.parts.push(body);
    if (Buffer.concat(one.parts).length >= one.head.size) void this.#answer(id);
  }

  async #answer(id: string): Promise<void> {
    const one = this.#open.get(id);
    if (one === undefined) return;
    this.#open.delete(id);
    const { method, path, headers, person } = one.head;
    const body = Buffer.concat(one.parts).toString('utf8');
    const request = { method, path, headers, person, body };
    this.requests.push(request);
    const reply = await (this.#options.answer ?? this.makeJobs)(request);
    if (reply === null) return;
    this.bare.send({ type: 'response', id, status: reply.status, headers: reply.headers ?? {} });
    this.bare.send({
      type: 'part',
      id,
      end: true,
      body: new TextEncoder().encode(reply.body ?? ''),
    });
  }

  /** Makes each job once, by its key. */
  readonly makeJobs: DoubleAnswer = ({ method, path, headers }) => {
    if (method !== 'POST' || path !== '/jobs') return toJsonReply(200, { path });
    this.home.asked += 1;
    const jobId = this.home.make(headers['idempotency-key'] ?? '');
    return toJsonReply(201, { jobId, status: 'queued', streamUrl: `/jobs/${jobId}/stream` });
  };
}

/** Pairs and connects one. */
export async function connectDouble(
  node: TestControlPlane,
  { team = 'acme', userId = 'ada', ...options }: DoubleOptions & { team?: string; userId?: string },
): Promise<{ runner: DoubleRunner; runnerId: string; token: string }> {
  const { homeId, hello } = options;
  const { body } = await pairHome(node, { team, userId, homeId, name: hello?.name ?? 'mac' });
  const runner = await new DoubleRunner(node, body.token, options).connect();
  return { runner, runnerId: body.runnerId, token: body.token };
}

/** A row of a runner's list. */
export const toRow = (id: string, more: object = {}) => ({
  id,
  type: 'job',
  status: 'queued',
  phase: 'plan',
  workflowPath: 'workflows/job.md',
  parentJobId: null,
  parked: null,
  ended: false,
  needs: null,
  since: '2026-11-29T00:00:00.000Z',
  reason: null,
  description: `Job ${id}`,
  repoSlug: 'shop',
  createdAt: '2026-11-29T00:00:00.000Z',
  updatedAt: '2026-11-29T00:00:00.000Z',
  ...more,
});
