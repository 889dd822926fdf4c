import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_PORT, readDatabaseUrl } from '../../../src/cloud/database/readDatabaseUrl.ts';

/** Type of a message and its length. */
const HEAD_BYTES = 5;
const PARSE = 'P'.charCodeAt(0);
const BIND = 'B'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);

const readTexts = (body: Buffer): string[] => body.toString('latin1').split('\0', 2);

/** What one client sends after its greeting, message by message. */
function createReader(onStatement: (text: string) => void): (bytes: Buffer) => void {
  const texts = new Map<string, string>();
  let rest = Buffer.alloc(0);
  let isGreeted = false;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    // The greeting has no type.
    while (rest.length >= HEAD_BYTES) {
      const start = isGreeted ? 1 : 0;
      const end = start + rest.readUInt32BE(start);
      if (rest.length < end) return;
      const body = rest.subarray(start + 4, end);
      const type = isGreeted ? rest[0] : undefined;
      const [first = '', second = ''] = readTexts(body);
      if (type === PARSE) texts.set(first, second);
      else if (type === BIND) onStatement(texts.get(second) ?? '');
      else if (type === QUERY) onStatement(first);
      isGreeted = true;
      rest = rest.subarray(end);
    }
  };
}

/** A socket in front of a database of the test server; it notes the text of each statement that is run through it. */
export async function openStatementCounter(databaseUrl: string) {
  const { path } = readDatabaseUrl(databaseUrl);
  if (path === null) throw new Error('The test server listens on a socket file.');
  const folder = mkdtempSync(join(tmpdir(), 'svc-count-'));
  const open = new Set<Socket>();
  const statements: string[] = [];
  const server = createServer((client) => {
    const database = connect(path);
    client.on(
      'data',
      createReader((text) => statements.push(text)),
    );
    client.pipe(database);
    database.pipe(client);
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.once('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) =>
    server.listen(join(folder, `.s.PGSQL.${DEFAULT_PORT}`), resolve),
  );
  const url = new URL(databaseUrl);
  url.searchParams.set('host', folder);
  return {
    url: url.href,
    /** The statements since the last call. */
    take: () => statements.splice(0),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          rmSync(folder, { recursive: true });
          resolve();
        });
        for (const socket of open) socket.destroy();
      }),
  };
}
