import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import WebSocket from 'ws';
import { sha256 } from '../../src/base/system/ids/ids.ts';
import { readDatabaseUrl } from '../../src/cloud/database/readDatabaseUrl.ts';
import { moveHead, type ReceivedEntry } from '../../src/cloud/homes/storeEntries.ts';
import type { ThreadProgram } from '../../src/kernel/sqlite/thread/writerThread.ts';
import { createNote } from '../../test/support/charts/orderChart.ts';
import { HomeStage, type OpenHome } from '../../test/support/cloud/homeStage.ts';
import { answerCalls } from '../hostProcess.ts';

/** Characters of a step's event that cannot be compressed: with them an entry has about as many bytes as one of the demo. */
const EVENT_CHARS = 1_000;
/** Between the beginnings of two steps of one busy job, ms. */
const APART_MS = 250;

const [checkerFile = ''] = process.argv.slice(2);

class BenchStage extends HomeStage {
  override readonly checker: ThreadProgram = { file: checkerFile, execArgv: [] };
}

const createText = (): string => randomBytes(EVENT_CHARS).toString('base64').slice(0, EVENT_CHARS);

let stage: BenchStage | null = null;
let home: OpenHome | null = null;

/** Steps of one job, one after another, ms each. */
async function timeJob(kernel: OpenHome['kernel'], id: string, untilMs: number): Promise<number[]> {
  const spent: number[] = [];
  while (performance.now() < untilMs) {
    const event = createNote(createText());
    const began = performance.now();
    await kernel.send(id, event);
    const ms = performance.now() - began;
    spent.push(ms);
    if (ms < APART_MS) await wait(APART_MS - ms);
  }
  return spent;
}

async function time(count: number, work: (n: number) => Promise<unknown>): Promise<number[]> {
  const spent: number[] = [];
  for (let n = 1; n <= count; n += 1) {
    const began = performance.now();
    await work(n);
    spent.push(performance.now() - began);
  }
  return spent;
}

/** A home with a log at a control plane, or without one, and what its commits are compared with. */
const calls = {
  /** `place`: of the log; null = without one. */
  async open(
    place: { url: string; token: string; homeId: string } | null,
    jobs: number,
  ): Promise<void> {
    const { url, homeId, token } = place ?? { url: '', homeId: 'alone', token: '' };
    stage = new BenchStage(url, homeId, token);
    home = await stage.open({ isPaired: place !== null });
    await home.run();
    void home.paired?.work(() => home?.link?.reconnect());
    for (let n = 0; n < jobs; n += 1) await home.order(`order-${n}`);
  },

  /** Steps of busy jobs for so long, ms each. Those of several jobs begin one after another. */
  async steps(jobs: number, ms: number): Promise<number[]> {
    const current = home;
    if (current === null) throw new Error('no home is open');
    const untilMs = performance.now() + ms;
    const all = await Promise.all(
      Array.from({ length: jobs }, async (_, n) => {
        await wait((n * APART_MS) / jobs);
        return timeJob(current.kernel, `order-${n}`, untilMs);
      }),
    );
    return all.flat();
  },

  /** One step, which waits for nothing else. */
  async step(): Promise<void> {
    await home?.kernel.send('order-0', createNote(createText()));
  },

  /** Number of the last entry. */
  head: (): number => home?.paired?.socketLog?.head ?? 0,

  /** Round trips of empty frames, ms each. */
  async frames(url: string, count: number): Promise<number[]> {
    const socket = new WebSocket(url);
    await new Promise((resolve) => socket.once('open', resolve));
    const spent = await time(count, async () => {
      const answer = new Promise((resolve) => socket.once('message', resolve));
      socket.send(new Uint8Array());
      return answer;
    });
    socket.terminate();
    return spent;
  },

  /** The statement of a commit by the bare driver, ms each. `runnerId`: of a home with an empty log. */
  async statements(
    database: string,
    runnerId: string,
    { count, bytes }: { count: number; bytes: number },
  ): Promise<number[]> {
    const { url, path } = readDatabaseUrl(database);
    const int8 = { to: 20, from: [20], parse: Number, serialize: String };
    const server = path === null ? {} : { path };
    const sql = postgres(url, { ...server, max: 1, fetch_types: false, types: { int8 } });
    const [row] = await sql`select head, hash from homes where runner_id = ${runnerId}`;
    let place = { n: Number(row?.head), hash: String(row?.hash) };
    const spent = await time(count, async () => {
      const body = randomBytes(bytes);
      const n = place.n + 1;
      const entry: ReceivedEntry = { n, generation: 1, hash: sha256(`${place.hash}${n}`), body };
      const how = { at: new Date(), inParts: false };
      if (!(await moveHead(sql, runnerId, place, [entry], how)))
        throw new Error('the statement of the bench stored nothing');
      place = { n, hash: entry.hash };
    });
    await sql.end();
    return spent;
  },

  async close(): Promise<void> {
    await home?.stop();
    stage?.remove();
    [home, stage] = [null, null];
  },
};

export type HomeHostCalls = typeof calls;

answerCalls(calls);
