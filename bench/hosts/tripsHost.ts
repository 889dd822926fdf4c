import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { readDatabaseUrl } from '../../src/cloud/database/readDatabaseUrl.ts';
import { answerCalls } from '../hostProcess.ts';

/** Type of the message that ends what PostgreSQL answers at once: a round trip. */
const SYNC = 'S'.charCodeAt(0);
const PARSE = 'P'.charCodeAt(0);
const BIND = 'B'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
/** Of a message with a type, before what its length counts. */
const TYPE_BYTES = 1;
const LENGTH_BYTES = 4;
/** What the statement of a commit has, and no other one. */
const COMMIT = 'update homes set head';

/** What a connection has sent since the last look. */
class Traffic {
  trips = 0;
  statements = 0;
  /** A commit was among it. */
  hasCommit = false;
  /** Names of the prepared statements of commits. */
  readonly #commits = new Set<string>();
  #rest = Buffer.alloc(0);
  // The first message has no type.
  #typeBytes = 0;

  add(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    while (this.#rest.length >= this.#typeBytes + LENGTH_BYTES) {
      const size = this.#typeBytes + this.#rest.readUInt32BE(this.#typeBytes);
      if (this.#rest.length < size) return;
      if (this.#typeBytes > 0) this.#note(this.#rest.subarray(0, size));
      this.#rest = this.#rest.subarray(size);
      this.#typeBytes = TYPE_BYTES;
    }
  }

  #note(message: Buffer): void {
    const [type] = message;
    const texts = message
      .subarray(TYPE_BYTES + LENGTH_BYTES)
      .toString('latin1')
      .split('\0', 2);
    if (type === PARSE && texts[1]?.includes(COMMIT)) this.#commits.add(texts[0] ?? '');
    if (type === SYNC || type === QUERY) this.trips += 1;
    if (type === BIND || type === QUERY) this.statements += 1;
    // Its first text is the portal, the second one the statement.
    if (type === BIND && this.#commits.has(texts[1] ?? '')) this.hasCommit = true;
  }

  reset(): void {
    [this.trips, this.statements, this.hasCommit] = [0, 0, false];
  }
}

const connections = new Set<Traffic>();

/** In front of PostgreSQL: counts round trips and statements of the connections that commit. */
const calls = {
  async open(database: string): Promise<string> {
    const { path } = readDatabaseUrl(database);
    if (path === null) throw new Error('the database of the bench has no socket');
    const server = createServer((outer) => {
      const inner = connect(path);
      const traffic = new Traffic();
      connections.add(traffic);
      outer.on('data', (bytes) => traffic.add(bytes));
      inner.once('close', () => connections.delete(traffic));
      outer.pipe(inner).pipe(outer);
      outer.on('error', () => inner.destroy());
      inner.on('error', () => outer.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(database);
    url.searchParams.delete('host');
    url.hostname = '127.0.0.1';
    url.port = String((server.address() as AddressInfo).port);
    return url.href;
  },
  /** Since the last call, of the connections that had a commit: what else the node does then goes over others. */
  take(): { trips: number; statements: number } {
    const counts = { trips: 0, statements: 0 };
    for (const traffic of connections) {
      if (traffic.hasCommit) {
        counts.trips += traffic.trips;
        counts.statements += traffic.statements;
      }
      traffic.reset();
    }
    return counts;
  },
};

export type TripsHostCalls = typeof calls;

answerCalls(calls);
