import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KnownSecrets } from '../../../src/base/secrets/knownSecrets.ts';

const test = suite('secrets in streams of bytes');

const SECRET = 'canary-abcdefgh';
const known = new KnownSecrets([SECRET, 'canary-ab']);

const screened = (bytes: Buffer, size: number) => {
  const stream = known.stream();
  const out: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size)
    out.push(stream.push(bytes.subarray(at, at + size)));
  return { bytes: Buffer.concat([...out, stream.end()]), found: stream.found.size };
};

test('a secret is taken out wherever the pieces are cut', () => {
  const text = Buffer.from(`before ${SECRET} after`);
  for (let size = 1; size <= text.length; size += 1) {
    assert.is(screened(text, size).bytes.toString(), 'before [secret] after', `pieces of ${size}`);
  }
});

test('the longest secret that begins at a place is taken out, and each by itself', () => {
  assert.is(
    screened(Buffer.from(`${SECRET}${SECRET}canary-ab!`), 5).bytes.toString(),
    '[secret][secret][secret]!',
  );
});

test('bytes that are no text, with no secret in them, stay as they are', () => {
  const bytes = Buffer.from(Array.from({ length: 4_096 }, (_, n) => (n * 7) % 256));
  const { bytes: after, found } = screened(bytes, 100);
  assert.ok(after.equals(bytes));
  assert.is(found, 0);
});

test('a secret between bytes that are no text is found, also in base64', () => {
  const bytes = Buffer.concat([
    Buffer.from([0, 255, 254]),
    Buffer.from(SECRET),
    Buffer.from([0, 200]),
  ]);
  assert.is(screened(bytes, 4).found, 1);
  assert.ok(screened(Buffer.from(Buffer.from(`user:${SECRET}`).toString('base64')), 6).found > 0);
});

test('one that becomes known later is looked for by later streams', () => {
  const secrets = new KnownSecrets();
  const early = secrets.stream();
  secrets.add([SECRET]);
  early.push(Buffer.from(SECRET));
  early.end();
  const late = secrets.stream();
  late.push(Buffer.from(SECRET));
  late.end();
  assert.equal(early.found.size, 0);
  assert.equal(late.found.size, 1);
});

test.run();
