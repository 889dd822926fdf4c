import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { readDatabaseUrl } from '../../src/cloud/database/readDatabaseUrl.ts';
import { answerCalls } from '../hostProcess.ts';

/** Type of the message that ends what PostgreSQL answers at once: a round trip. */
const SYNC = 'S'.charCodeAt(0);
const BIND = 'B'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
/** Of a message with a type, before what its length counts. */
const TYPE_BYTES = 1;
const LENGTH_BYTES = 4;

let trips = 0;
let statements = 0;

/** Counts the messages of a client as they pass. */
function createCounter(): (bytes: Buffer) => void {
  let buffer = Buffer.alloc(0);
  // The first message has no type.
  let typeBytes = 0;
  return (bytes) => {
    buffer = Buffer.concat([buffer, bytes]);
    while (buffer.length >= typeBytes + LENGTH_BYTES) {
      const size = typeBytes + buffer.readUInt32BE(typeBytes);
      if (buffer.length < size) return;
      const type = typeBytes === 0 ? null : buffer[0];
      if (type === SYNC || type === QUERY) trips += 1;
      if (type === BIND || type === QUERY) statements += 1;
      buffer = buffer.subarray(size);
      typeBytes = TYPE_BYTES;
    }
  };
}

/** In front of PostgreSQL: counts round trips and statements of its clients. */
const calls = {
  async open(database: string): Promise<string> {
    const { path } = readDatabaseUrl(database);
    if (path === null) throw new Error('the database of the bench has no socket');
    const server = createServer((outer) => {
      const inner = connect(path);
      const count = createCounter();
      outer.on('data', count);
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
  /** Since the last call. */
  take(): { trips: number; statements: number } {
    const counts = { trips, statements };
    [trips, statements] = [0, 0];
    return counts;
  },
};

export type TripsHostCalls = typeof calls;

answerCalls(calls);
