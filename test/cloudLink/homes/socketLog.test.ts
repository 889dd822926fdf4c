import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CHAIN_START, chainEntryHash } from '../../../src/base/system/homes/chainEntryHash.ts';
import type { Frame } from '../../../src/contract/channel/frames.ts';
import { MAX_PART_BYTES } from '../../../src/contract/channel/limits.ts';
import { type LogEnd, type LogSocket, SocketLog } from '../../../src/cloudLink/homes/socketLog.ts';
import type { JobSummary } from '../../../src/contract/schema/job/job.ts';
import type {
  ChangedActor,
  LogEntry,
  LogPosition,
} from '../../../src/kernel/sqlite/log/homeLog.ts';

const test = suite('log of a home over sockets');

const START: LogPosition = { n: 0, hash: CHAIN_START };
const GENERATION = 3;

/** Entries one behind the other. */
function makeEntries(count: number, after: LogPosition = START, bytes = 4): LogEntry[] {
  const entries: LogEntry[] = [];
  let at = after;
  for (let i = 0; i < count; i += 1) {
    const link = { n: at.n + 1, generation: GENERATION, body: new Uint8Array(bytes).fill(at.n) };
    const entry = { ...link, hash: chainEntryHash(at.hash, link) };
    entries.push(entry);
    at = entry;
  }
  return entries;
}

/** A socket that keeps what is sent; `isFull`: it takes nothing until it is opened. */
class Socket implements LogSocket {
  readonly frames: Frame[] = [];
  abandoned = '';
  isOpen = true;
  send(frame: Frame): void {
    this.frames.push(frame);
  }
  async hasRoom(): Promise<boolean> {
    return this.isOpen;
  }
  abandon(reason: string): void {
    this.abandoned = reason;
    this.isOpen = false;
  }
  /** Ids of the jobs whose rows came with each entry; null = none were named. */
  get jobs(): (string[] | null)[] {
    return this.frames.flatMap((frame) =>
      frame.type === 'commit' ? [frame.jobs?.map((row) => Object(row).id) ?? null] : [],
    );
  }
  /** Numbers of the entries that were begun. */
  get begun(): number[] {
    return this.frames.flatMap((frame) => (frame.type === 'commit' ? [frame.n] : []));
  }
}

const turns = async (): Promise<void> => {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
};

function open(more: Partial<ConstructorParameters<typeof SocketLog>[0]> = {}) {
  const ends: LogEnd[] = [];
  const log = new SocketLog({
    generation: GENERATION,
    position: START,
    acknowledged: START,
    outgoing: [],
    onEnd: (end) => ends.push(end),
    ...more,
  });
  return { log, ends };
}

/** Which of these promises have resolved. */
async function findResolved(sends: readonly Promise<undefined>[]): Promise<number[]> {
  const numbers: number[] = [];
  sends.forEach((one, i) => void one.then(() => numbers.push(i + 1)));
  await turns();
  return numbers;
}

const head = (entry: LogPosition, generation = GENERATION) => ({
  generation,
  head: entry.n,
  hash: entry.hash,
});

test('entries are sent in their order, and resolve up to the one that is acknowledged', async () => {
  const { log } = open();
  const socket = new Socket();
  log.attach(socket, head(START));
  const sends = makeEntries(3).map((entry) => log.send(entry));
  await turns();
  assert.equal(socket.begun, [1, 2, 3]);
  assert.equal(await findResolved(sends), []);
  log.takeCommitted({ n: 2 });
  assert.equal(await findResolved(sends), [1, 2]);
  assert.equal([log.head, log.acknowledged, log.unsent.entries], [3, 2, 1]);
});

const aJob: JobSummary = {
  id: 'a',
  type: 'job',
  status: 'working',
  phase: 'code',
  workflowPath: 'workflows/a.md',
  parentJobId: null,
  parked: null,
  ended: false,
  needs: null,
  since: '2026-11-01T00:00:00.000Z',
  reason: null,
  description: 'A job',
  repoSlug: null,
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
};
const takesRows = { ...head(START), takesRows: true as const };
const readChanges = (changed: readonly ChangedActor[]): JobSummary[] =>
  changed.map(({ id }) => ({ ...aJob, id }));
const change = (id: string): ChangedActor[] => [{ id, chart: 'job' }];

test('rows of what an entry has changed travel with it, also on the next socket', async () => {
  const { log } = open({ readRows: readChanges });
  const entries = makeEntries(2);
  const first = new Socket();
  log.attach(first, takesRows);
  entries.forEach((entry, n) => void log.send(entry, change(`job-${n}`)));
  await turns();
  assert.equal(first.jobs, [['job-0'], ['job-1']]);
  log.detach(first);
  const second = new Socket();
  log.attach(second, takesRows);
  await turns();
  assert.equal(second.jobs, [['job-0'], ['job-1']]);
});

test('an entry that has changed no job brings no row; of one of which nothing is known, none is named', async () => {
  const { log } = open({ readRows: readChanges });
  const [first, second] = makeEntries(2);
  const socket = new Socket();
  log.attach(socket, takesRows);
  if (first) void log.send(first, []);
  if (second) void log.send(second);
  await turns();
  assert.equal(socket.jobs, [[], null]);
});

test('rows are as they were when their entry was made', async () => {
  let status = 'queued';
  const { log } = open({ readRows: () => [{ ...aJob, status }] });
  const entries = makeEntries(2);
  for (const entry of entries) {
    void log.send(entry, change('a'));
    status = 'working';
  }
  const socket = new Socket();
  log.attach(socket, takesRows);
  await turns();
  assert.equal(
    socket.frames.map((frame) => frame.type === 'commit' && frame.jobs),
    [[{ ...aJob, status: 'queued' }], [{ ...aJob, status: 'working' }]],
  );
});

test('a control plane of the version before gets entries without rows', async () => {
  const { log } = open({ readRows: readChanges });
  const socket = new Socket();
  log.attach(socket, head(START));
  for (const entry of makeEntries(1)) void log.send(entry, change('a'));
  await turns();
  assert.equal(socket.jobs, [null]);
});

test('what was made without a socket is sent on the next one', async () => {
  const { log } = open();
  const sends = makeEntries(2).map((entry) => log.send(entry));
  const socket = new Socket();
  log.attach(socket, head(START));
  await turns();
  assert.equal(socket.begun, [1, 2]);
  log.takeCommitted({ n: 2 });
  assert.equal(await findResolved(sends), [1, 2]);
});

test('an entry whose acknowledgement was cut off counts by the next welcome, and is not sent again', async () => {
  const { log } = open();
  const entries = makeEntries(3);
  const first = new Socket();
  log.attach(first, head(START));
  const sends = entries.map((entry) => log.send(entry));
  await turns();
  log.detach(first);
  const second = new Socket();
  log.attach(second, head(entries[1] ?? START));
  await turns();
  assert.equal(second.begun, [3]);
  assert.equal(await findResolved(sends), [1, 2]);
});

test('an acknowledgement of an older socket counts, and the newer one continues behind it', async () => {
  const { log } = open();
  const entries = makeEntries(3);
  const old = new Socket();
  log.attach(old, head(START));
  for (const entry of entries.slice(0, 2)) void log.send(entry);
  await turns();
  const next = new Socket();
  log.attach(next, head(START));
  // Before anything was sent on the new one.
  log.takeCommitted({ n: 2 });
  for (const entry of entries.slice(2)) void log.send(entry);
  await turns();
  assert.is(next.begun.at(-1), 3);
  assert.is(log.acknowledged, 2);
});

test('an acknowledgement that comes twice or late changes nothing', async () => {
  const { log } = open();
  log.attach(new Socket(), head(START));
  const sends = makeEntries(3).map((entry) => log.send(entry));
  log.takeCommitted({ n: 2 });
  log.takeCommitted({ n: 1 });
  log.takeCommitted({ n: 2 });
  assert.equal(await findResolved(sends), [1, 2]);
  assert.is(log.acknowledged, 2);
});

test('a long entry comes in parts, and the next one behind its last', async () => {
  const { log } = open();
  const socket = new Socket();
  log.attach(socket, head(START));
  const size = 2 * MAX_PART_BYTES + 1;
  for (const entry of makeEntries(2, START, size)) void log.send(entry);
  await turns();
  assert.equal(
    socket.frames.map(({ type, body }) => [type, body?.length]),
    [
      ['commit', MAX_PART_BYTES],
      ['commitPart', MAX_PART_BYTES],
      ['commitPart', 1],
      ['commit', MAX_PART_BYTES],
      ['commitPart', MAX_PART_BYTES],
      ['commitPart', 1],
    ],
  );
  assert.equal(
    socket.frames.map((frame) => 'end' in frame && frame.end),
    [false, false, true, false, false, true],
  );
});

test('an entry that was cut off within its parts begins again on the next socket', async () => {
  const { log } = open();
  const entry = makeEntries(1, START, 3 * MAX_PART_BYTES)[0];
  if (entry === undefined) throw new Error('no entry');
  const first = new Socket();
  first.send = (frame) => {
    first.frames.push(frame);
    // It breaks after the first part.
    first.isOpen = false;
  };
  log.attach(first, head(START));
  void log.send(entry);
  await turns();
  assert.is(first.frames.length, 1);
  const second = new Socket();
  log.attach(second, head(START));
  await turns();
  assert.equal(
    second.frames.map(({ type }) => type),
    ['commit', 'commitPart', 'commitPart'],
  );
});

test('a gap closes the socket: the next welcome says where to continue', async () => {
  const { log, ends } = open();
  const socket = new Socket();
  log.attach(socket, head(START));
  void log.send(makeEntries(1)[0] as LogEntry);
  await turns();
  log.takeRefused(socket, { reason: 'gap', generation: GENERATION });
  assert.is.not(socket.abandoned, '');
  assert.equal(ends, []);
});

test('what an older socket refuses is no concern of the newer one', () => {
  const { log, ends } = open();
  const [old, next] = [new Socket(), new Socket()];
  log.attach(old, head(START));
  log.attach(next, head(START));
  log.takeRefused(old, { reason: 'gap', generation: GENERATION });
  assert.equal([old.abandoned, next.abandoned, ends.length], ['', '', 0]);
});

test('a newer claim ends the log; nothing is acknowledged any more, and no promise is rejected', async () => {
  const { log, ends } = open();
  const socket = new Socket();
  log.attach(socket, head(START));
  const sends = makeEntries(1).map((entry) => log.send(entry));
  log.takeRefused(socket, { reason: 'fenced', generation: GENERATION + 1, holder: 'other' });
  log.takeCommitted({ n: 1 });
  log.attach(new Socket(), head(makeEntries(1)[0] as LogEntry));
  assert.equal(await findResolved(sends), []);
  assert.equal(ends, [{ why: 'fenced', holder: 'other' }]);
});

const entries = makeEntries(4);
const other = { n: 3, hash: 'f'.repeat(64) };
for (const { title, welcome, why } of [
  { title: 'a newer claim', welcome: head(entries[2] as LogEntry, GENERATION + 1), why: 'fenced' },
  {
    title: 'an older claim',
    welcome: head(entries[2] as LogEntry, GENERATION - 1),
    why: 'diverged',
  },
  {
    title: 'less than it had acknowledged',
    welcome: head(entries[0] as LogEntry),
    why: 'diverged',
  },
  { title: 'another entry of the same number', welcome: head(other), why: 'diverged' },
  { title: 'more than this home has', welcome: head({ ...other, n: 5 }), why: 'diverged' },
  { title: 'no log at all', welcome: null, why: 'diverged' },
])
  test(`a welcome that names ${title} ends the log: ${why}`, () => {
    const { log, ends } = open({
      position: entries[3] as LogEntry,
      acknowledged: entries[1] as LogEntry,
      outgoing: entries.slice(2),
    });
    log.attach(new Socket(), welcome);
    assert.equal(
      ends.map((end) => end.why),
      [why],
    );
  });

test('the entries that a file had waiting are sent first, and the hello names its position', async () => {
  const { log } = open({
    position: entries[3] as LogEntry,
    acknowledged: entries[1] as LogEntry,
    outgoing: entries.slice(2),
  });
  assert.equal(log.position, { generation: GENERATION, n: 4, hash: entries[3]?.hash });
  const socket = new Socket();
  log.attach(socket, head(entries[1] as LogEntry));
  await turns();
  assert.equal(socket.begun, [3, 4]);
});

test('who waits for an entry is let go when it is acknowledged, or by the signal', async () => {
  const { log } = open();
  log.attach(new Socket(), head(START));
  for (const entry of makeEntries(2)) void log.send(entry);
  const stop = new AbortController();
  const [first, second] = [1, 2].map((n) => log.waitFor(n, stop.signal));
  log.takeCommitted({ n: 1 });
  assert.is(await first, true);
  stop.abort();
  assert.is(await second, false);
});

test.run();
