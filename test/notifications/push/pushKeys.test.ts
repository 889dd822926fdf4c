import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readOrMakePushKeys } from '../../../src/notifications/push/pushKeys.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('notifications: keys of web push');

let folder = '';
let file = '';
let n = 0;
const nextId = () => String(++n);
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-push-'));
  file = join(folder, 'push-keys.json');
});
test.after.each(() => rmSync(folder, { recursive: true }));

test('they are made once, also by two calls at the same time', async () => {
  const [first, second] = await Promise.all([
    readOrMakePushKeys(file, nextId),
    readOrMakePushKeys(file, nextId),
  ]);
  assert.equal(first, second);
  assert.equal(await readOrMakePushKeys(file, nextId), first);
  assert.equal(readdirSync(folder), ['push-keys.json']);
});

test('only the owner can read them', async () => {
  await readOrMakePushKeys(file, nextId);
  assert.is(statSync(file).mode & 0o777, 0o600);
});

test('a file without keys is named and left alone', async () => {
  writeFileSync(file, '{"publicKey":"x"}');
  const error = await catchRefusal(() => readOrMakePushKeys(file, nextId));
  assert.is(error.code, 'config-invalid');
  assert.match(error.message, file);
  assert.is(readFileSync(file, 'utf8'), '{"publicKey":"x"}');
});

test.run();
