import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HomeClient } from '../../../src/cloudLink/homes/homeClient.ts';
import { uploadBlob } from '../../../src/cloudLink/homes/uploadBlob.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { codeOfRefusal } from '../../support/refusal.ts';

const test = suite<{ dir: string }>('upload of an artefact');

const MIB = 1024 * 1024;
/** How long a part is waited for, ms. */
const PATIENCE_MS = 120_000;
const HASH = 'a'.repeat(64);

test.before.each((context) => {
  context.dir = mkdtempSync(join(tmpdir(), 'svc-upload-'));
});
test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }));

/** A control plane behind a line that needs this long for each part. */
function createLine(msPerPart: (part: number) => number) {
  let now = 0;
  const ranges: (string | null)[] = [];
  const whole = createHash('sha256');
  const client: Pick<HomeClient, 'hasBlob' | 'putBlob'> = {
    hasBlob: async () => false,
    async putBlob(_, bytes, range, { until = 0 }) {
      now += msPerPart(ranges.length);
      if (now >= until) throw new SvcError('cloud-unreachable', 'It does not answer.');
      ranges.push(range);
      whole.update(bytes);
    },
  };
  return {
    ranges,
    digest: () => whole.digest('hex'),
    elapsed: () => now,
    upload: (file: string) =>
      uploadBlob(client as HomeClient, HASH, file, () => ({
        signal: new AbortController().signal,
        until: now + PATIENCE_MS,
      })),
  };
}

const writeFile = (dir: string, bytes: number): string => {
  const file = join(dir, 'artefact');
  writeFileSync(file, Buffer.alloc(bytes, 'bytes'));
  return file;
};

test('64 MiB get through a line of 1 Mbit/s, although that takes longer than any wait', async ({
  dir,
}) => {
  const line = createLine(() => (MIB * 8) / 1_000);
  const file = writeFile(dir, 64 * MIB);
  await line.upload(file);
  assert.is(line.ranges.length, 64);
  assert.ok(line.elapsed() > 4 * PATIENCE_MS);
  assert.is(
    line.digest(),
    createHash('sha256')
      .update(Buffer.alloc(64 * MIB, 'bytes'))
      .digest('hex'),
  );
});

test('a line that has stopped ends the upload, after what it has sent', async ({ dir }) => {
  const line = createLine((part) => (part < 2 ? 1_000 : PATIENCE_MS));
  const file = writeFile(dir, 3 * MIB + 1);
  assert.is(await codeOfRefusal(() => line.upload(file)), 'cloud-unreachable');
  assert.equal(line.ranges, ['bytes 0-1048575/3145729', 'bytes 1048576-2097151/3145729']);
});

test('what has at most 1 MiB comes in one piece, also nothing', async ({ dir }) => {
  for (const bytes of [0, 5, MIB]) {
    const line = createLine(() => 1);
    await line.upload(writeFile(dir, bytes));
    assert.equal(line.ranges, [null]);
  }
});

test.run();
