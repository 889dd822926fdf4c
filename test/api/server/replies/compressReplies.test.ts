import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSurface } from '../../../support/http/httpSurface.ts';

const test = suite('http: compression');

interface Reply {
  encoding: string | undefined;
  vary: string | undefined;
  type: string | undefined;
  bytes: Buffer;
}

/** The bytes as they come; `fetch` would decode them. A stream is cut at its first bytes. */
const get = (url: string, accepted?: string): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const headers = accepted === undefined ? {} : { 'Accept-Encoding': accepted };
    const req = request(url, { headers }, (res) => {
      const parts: Buffer[] = [];
      const { 'content-encoding': encoding, vary, 'content-type': type } = res.headers;
      const finishReply = () => resolve({ encoding, vary, type, bytes: Buffer.concat(parts) });
      res.on('data', (part: Buffer) => {
        parts.push(part);
        if (type?.startsWith('text/event-stream')) {
          finishReply();
          res.destroy();
        }
      });
      res.on('end', finishReply);
      res.on('error', reject);
    });
    req.on('error', reject);
    req.end();
  });

test('a long reply is compressed for a client that takes it, in the best way that it takes', async () => {
  await using surface = await openSurface();
  const address = `${surface.url}/openapi.json`;
  const plain = await get(address);
  const br = await get(address, 'gzip, deflate, br, zstd');
  const gzip = await get(address, 'gzip');
  assert.is(plain.encoding, undefined);
  assert.is(br.encoding, 'br');
  assert.is(gzip.encoding, 'gzip');
  assert.ok(brotliDecompressSync(br.bytes).equals(plain.bytes));
  assert.ok(gunzipSync(gzip.bytes).equals(plain.bytes));
  assert.ok(
    br.bytes.length < plain.bytes.length / 4,
    `${br.bytes.length} of ${plain.bytes.length}`,
  );
});

test('a cache keeps the encodings of a reply apart', async () => {
  await using surface = await openSurface();
  assert.match(String((await get(`${surface.url}/openapi.json`)).vary), 'Accept-Encoding');
});

test('a short reply stays as it is', async () => {
  await using surface = await openSurface();
  assert.is((await get(`${surface.url}/health`, 'br')).encoding, undefined);
});

test('a stream of events is not held back by a compressor', async () => {
  await using surface = await openSurface();
  const stream = await get(`${surface.url}/jobs/stream`, 'gzip, br');
  assert.match(String(stream.type), 'text/event-stream');
  assert.is(stream.encoding, undefined);
  assert.ok(stream.bytes.length > 0);
});

test.run();
