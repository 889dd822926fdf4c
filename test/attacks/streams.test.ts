import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { STALL_MS } from '../../src/api/server/streams/jobStream.ts';
import {
  attackedRunner,
  endAll,
  goesOn,
  readMemory,
  ONE_PHASE,
} from '../support/attackedRunner.ts';

const test = suite('attacks: streams');

const LINES = 3_000;
const LINE_BYTES = 4_000;
const CLIENTS = 500;
/** What the readers of this file may add to the runner's memory, MiB. */
const MEMORY_FOR_READERS = 250;

/** Writes its lines, waits for a signal, and writes one more. */
const TALKER = `
for (let n = 1; n <= ${LINES}; n++) console.log('line ' + n + ' ' + 'x'.repeat(${LINE_BYTES}));
while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 20));
console.log('the last line');
`;

const it = await attackedRunner({ workflow: ONE_PHASE, programs: { worker: TALKER } });
test.after(() => endAll(it));
const id = await it.job();
const checkout = String(
  (
    await it.until(
      id,
      ({ params, state }) =>
        params.repoCheckoutAbsDir !== undefined && state.includes('working.inSession'),
    )
  ).params.repoCheckoutAbsDir,
);

/**
 * A reader by hand: its socket can be paused, and it may leave in the middle. HTTP/1.0, so that
 * nothing stands between the events; such a request needs the token.
 */
class Reader {
  text = '';
  readonly socket: Socket;
  readonly closed: Promise<unknown>;

  constructor(after = 0) {
    const { hostname, port } = new URL(it.runner.url);
    this.socket = connect(Number(port), hostname);
    this.socket.on('error', () => {});
    this.closed = once(this.socket, 'close');
    this.socket.setEncoding('utf8').on('data', (part) => {
      this.text += part;
    });
    this.socket.write(
      `GET /jobs/${id}/stream HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer ${it.runner.token}\r\nLast-Event-ID: ${after}\r\n\r\n`,
    );
  }

  /** Numbers of the frames that came complete. */
  get numbers(): number[] {
    return [...this.text.matchAll(/^id: (\d+)\nevent: \w+\ndata: [^\n]*\n\n/gm)].map(([, n]) =>
      Number(n),
    );
  }

  async until(sign: string): Promise<void> {
    // From where it looked last: looking through megabytes at every part would take most of the
    // time of this file.
    for (let from = 0; !this.text.includes(sign, from); ) {
      from = Math.max(0, this.text.length - sign.length);
      if (this.socket.destroyed)
        throw new Error(`the stream ended without "${sign}": ${this.text.slice(-500)}`);
      await Promise.race([once(this.socket, 'data'), this.closed]);
    }
  }
}

/** More than the sockets of both sides and the runner hold for a reader that takes nothing, bytes. */
const MOST_HELD = 6 * 1024 * 1024;

const upTo = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
const before = readMemory(it.runner.pid).now;

const slow = new Reader();
slow.socket.pause();

const first = new Reader();
while (first.text.length < MOST_HELD) await once(first.socket, 'data');
// The reader that takes nothing has been waited for since now at the latest.
const stalled = performance.now();
await first.until(`line ${LINES} `);
while (!first.text.endsWith('\n\n')) await once(first.socket, 'data');
first.socket.destroy();
const known = first.numbers.at(-1) ?? 0;

/**
 * The reader that takes nothing reads again after the runner has given up on it, and before the runner ends its
 * connection. Only the time shows the first: nothing comes through a socket that is not read.
 */
const slowReaderEnded = (async () => {
  await new Promise((resolve) =>
    setTimeout(resolve, Math.max(0, stalled + STALL_MS + 1_000 - performance.now())),
  );
  slow.socket.resume();
  await slow.closed;
})();

test('23 · a reader that leaves again and again and comes back with Last-Event-ID: no frame is missing, none comes twice', async () => {
  const read: number[] = [];
  for (let visit = 1; (read.at(-1) ?? 0) < known; visit++) {
    const reader = new Reader(read.at(-1) ?? 0);
    // Leaves in the middle of an event, a little later each time.
    const enough = visit * 100_000;
    while (reader.text.length < enough && !reader.text.slice(-100_000).includes(`line ${LINES} `))
      await once(reader.socket, 'data');
    reader.socket.destroy();
    read.push(...reader.numbers);
  }
  assert.equal(read, upTo(1, known));
});

test(`23 · a reader that takes nothing: what waits for it is bounded, it is cut with a gap, and nothing is lost when it comes back`, async () => {
  await slowReaderEnded;
  const got = slow.numbers;
  const last = got.at(-1) ?? 0;
  assert.equal(got, upTo(1, last));
  assert.ok(last < known, 'it was fed everything');
  assert.match(
    slow.text.slice(-200),
    `event: gap\ndata: {"reason":"slow-reader","after":${last},"next":null}`,
  );
  const again = new Reader(last);
  await again.until(`line ${LINES} `);
  assert.equal(again.numbers.slice(0, known - last - 1), upTo(last + 1, known - 1));
  again.socket.destroy();
});

test(`23 · ${CLIENTS} readers at once: each gets every frame once, in order, and the end`, async () => {
  const from = known - 20;
  const readers = Array.from({ length: CLIENTS }, () => new Reader(from));
  await Promise.all(readers.map((reader) => reader.until(`line ${LINES} `)));
  it.write(join(checkout, 'go'), '');
  await Promise.all(readers.map(({ closed }) => closed));
  const last = readers[0]?.numbers.at(-1) ?? 0;
  assert.ok(last > known);
  for (const reader of readers) {
    assert.equal(reader.numbers, upTo(from + 1, last));
    assert.match(reader.text.slice(-100), 'event: bye\ndata: {"reason":"ended"}');
  }
  const grown = readMemory(it.runner.pid).most - before;
  assert.ok(grown < MEMORY_FOR_READERS, `the runner grew by ${grown.toFixed(0)} MiB`);
  await goesOn(it);
});

test.run();
