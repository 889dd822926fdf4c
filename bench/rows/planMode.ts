import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, createClient } from '../../src/api/client/client.ts';
import { sendChatMessage } from '../../src/api/client/intakeFrames.ts';
import { openStore } from '../../src/jobs/store/openStore.ts';
import { createInvestigationRow, createTurnRow } from '../../src/intake/investigationRows.ts';
import type { RowChange } from '../../src/contract/records/changes.ts';
import { openStampingModel, stampIn } from '../stampingModel.ts';
import { under } from '../figure.ts';
import { BENCH_TOKEN, writeHome } from '../home.ts';
import { HostProcess } from '../hostProcess.ts';
import type { RunnerHostCalls } from '../hosts/runnerHost.ts';
import { HttpConnection, requestBytes } from '../httpConnection.ts';
import type { Lab } from '../lab.ts';
import { RunnerUnderTest } from '../runnerUnderTest.ts';
import { median } from '../statistics.ts';
import type { Row } from './row.ts';

const STORED = 10_000;
const WRITTEN_AT_ONCE = 1_000;
/** Characters of a stored transcript, and of a stored answer. */
const STORED_CHARS = 2_000;
const READS = 50;
const TURNS = 20;
const PARTS = 5;
const HOT_CHATS = 30;
/** Chats of a page of the list, and as many more that are only stored. */
const LISTED_CHATS = 50;
const COLD_CHATS = 1_000;
const COLD_ROUNDS = 5;
/** Characters of the answer of a hot chat. */
const HOT_CHARS = 200_000;

function storedHome(lab: Lab, name: string, chats: number, modelUrl: string): string {
  const home = lab.folder(name);
  writeHome(home);
  const config = { api: 'anthropic', baseUrl: modelUrl, apiKey: 'bench', model: 'bench' };
  writeFileSync(
    join(home, 'config.json'),
    JSON.stringify({
      llm: { defaultProvider: 'builtin' },
      plugins: { installed: { builtin: { config } } },
    }),
  );
  const store = openStore({ file: join(home, 'state.db'), pid: process.pid, now: 0 });
  const generation = store.durable.claim();
  for (let from = 0; from < chats; from += WRITTEN_AT_ONCE) {
    const length = Math.min(WRITTEN_AT_ONCE, chats - from);
    const rows = Array.from({ length }, (_, n): RowChange[] => {
      const id = `chat-${from + n}`;
      const row = createInvestigationRow(id, `Question ${from + n}`, from + n);
      const turn = createTurnRow({
        investigation: id,
        n: 1,
        at: 0,
        message: 'Question',
        state: 'done',
        provider: 'builtin',
        model: null,
        answer: 'x'.repeat(STORED_CHARS),
      });
      return [
        {
          op: 'put',
          table: 'investigations',
          row: { ...row, turns: 1, items: JSON.stringify(['x'.repeat(STORED_CHARS)]) },
        },
        { op: 'put', table: 'investigation_turns', row: turn },
      ];
    }).flat();
    void store.durable.commit({
      generation,
      actors: [],
      journal: [],
      outboxPut: [],
      outboxDone: [],
      timersSet: [],
      timersDrop: [],
      inbox: [],
      mailPut: [],
      mailDone: [],
      frames: [],
      rows,
    });
  }
  store.close();
  return home;
}

/** One answer; what each of its parts has taken from the model to the client, ms. */
async function converseOnce(client: Client, sessionId: string): Promise<number[]> {
  const took: number[] = [];
  const { signal } = new AbortController();
  const message = 'Why is it slow?';
  for await (const { frame } of sendChatMessage({ client, signal }, { sessionId, message })) {
    if (frame.type === 'error') throw new Error(frame.message);
    const sentAt = frame.type === 'token' ? stampIn(frame.text) : null;
    if (sentAt !== null) took.push(performance.now() - sentAt);
  }
  return took;
}

const clientAt = ({ port }: RunnerUnderTest): Client =>
  createClient({ baseUrl: `http://127.0.0.1:${port}`, token: BENCH_TOKEN });

async function listMs({ port }: RunnerUnderTest): Promise<number> {
  const connection = await HttpConnection.open(port);
  const request = requestBytes('GET', '/intake/sessions?limit=50&offset=5000');
  const took: number[] = [];
  for (let n = 0; n < READS; n++) {
    const began = performance.now();
    await connection.ask(request);
    took.push(performance.now() - began);
  }
  connection.close();
  return median(took);
}

/** Memory of chats that were answered at length, MiB each. */
async function hotMemory(lab: Lab, program: string): Promise<number> {
  const model = await openStampingModel({ parts: 1, padding: 'x'.repeat(HOT_CHARS) });
  const runner = await RunnerUnderTest.start(program, storedHome(lab, 'hot', 0, model.url));
  try {
    const client = clientAt(runner);
    for (let n = 0; n < 3; n++) await converseOnce(client, `warm-${n}`);
    const before = runner.rss();
    for (let n = 0; n < HOT_CHATS; n++) await converseOnce(client, `hot-${n}`);
    return (runner.rss() - before) / HOT_CHATS;
  } finally {
    await runner.end('SIGTERM');
    await model.close();
  }
}

/** Heap of a runner that has started and shown its list, KiB. */
async function heapWith(lab: Lab, name: string, chats: number): Promise<number> {
  const home = storedHome(lab, name, chats, 'http://127.0.0.1:9');
  await using host = await HostProcess.start<RunnerHostCalls>(lab, 'runnerHost', home);
  const connection = await HttpConnection.open(await host.call('port'));
  const request = requestBytes('GET', '/intake/sessions?limit=50');
  for (let n = 0; n < READS; n++) await connection.ask(request);
  connection.close();
  return (await host.call('memory')).heap / 1024;
}

/**
 * What chats that are only stored add to the memory of a runner: the median difference, KiB. Both
 * runners show a full page of the list.
 */
async function storedMemory(lab: Lab, note: (line: string) => void): Promise<number> {
  const differences: number[] = [];
  for (let round = 0; round < COLD_ROUNDS; round++) {
    const few = await heapWith(lab, `few-${round}`, LISTED_CHATS);
    const many = await heapWith(lab, `many-${round}`, LISTED_CHATS + COLD_CHATS);
    differences.push(many - few);
  }
  const texts = differences.map((kib) => kib.toFixed(0)).join(', ');
  note(`heap with ${COLD_CHATS} more stored chats less the heap without: ${texts} KiB`);
  return median(differences);
}

/**
 * Plan-mode chats in the real runner: what it adds to the model's first words, the list of many
 * chats, the memory of one, and of many that are only stored.
 */
export const planModeRow: Row = {
  figures: [
    'planmode.first.p50',
    'planmode.first.p95',
    'planmode.list',
    'planmode.hot',
    'planmode.stored',
  ],
  async measure(lab, note) {
    const program = await lab.program();
    const model = await openStampingModel({ parts: PARTS });
    const runner = await RunnerUnderTest.start(
      program,
      storedHome(lab, 'planmode', STORED, model.url),
    );
    try {
      const client = clientAt(runner);
      await converseOnce(client, 'warm');
      const first: number[] = [];
      const all: number[] = [];
      for (let n = 0; n < TURNS; n++) {
        const took = await converseOnce(client, `new-${n}`);
        first.push(took[0] ?? Number.NaN);
        all.push(...took);
      }
      first.sort((a, b) => a - b);
      note(`all ${all.length} parts: median ${median(all).toFixed(2)} ms`);
      const p95 = first[Math.ceil(first.length * 0.95) - 1] ?? Number.NaN;
      const list = await listMs(runner);
      const rss = runner.rss();
      note(`the runner takes ${rss.toFixed(0)} MiB with ${STORED} stored chats`);
      return {
        'planmode.first.p50': under({ value: median(first), unit: 'ms', target: 8 }),
        'planmode.first.p95': under({ value: p95, unit: 'ms', target: 25 }),
        'planmode.list': under({ value: list, unit: 'ms', target: 20 }),
        'planmode.hot': under({ value: await hotMemory(lab, program), unit: 'MiB', target: 1 }),
        'planmode.stored': under({
          value: await storedMemory(lab, note),
          unit: 'KiB',
          target: 50,
        }),
      };
    } finally {
      await runner.end('SIGTERM');
      await model.close();
    }
  },
};
