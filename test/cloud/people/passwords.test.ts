import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  hashPassword,
  PASSWORD_LENGTH,
  verifyPassword,
} from '../../../src/cloud/people/passwords.ts';

const test = suite('cloud: passwords');
const CHEAP = { N: 2 ** 10, r: 8, p: 1 };

test('a stored password names its cost and never the password (CLD-2)', async () => {
  const hash = await hashPassword('correct horse', CHEAP);
  assert.match(hash, /^scrypt\$1024\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
});

test('the same password is stored in another way each time (CLD-2)', async () => {
  assert.is.not(
    await hashPassword('correct horse', CHEAP),
    await hashPassword('correct horse', CHEAP),
  );
});

test('the right password fits, another one does not (CLD-2)', async () => {
  const hash = await hashPassword('correct horse', CHEAP);
  assert.is(await verifyPassword(hash, 'correct horse'), true);
  assert.is(await verifyPassword(hash, 'correct horsf'), false);
  assert.is(await verifyPassword(hash, ''), false);
});

test('an accent fits however the keyboard composes it (CLD-2)', async () => {
  const hash = await hashPassword('Schl\u00fcssel!', CHEAP);
  assert.is(await verifyPassword(hash, 'Schlu\u0308ssel!'), true);
});

test('the longest password fits, also of characters that take two units (CLD-2)', async () => {
  const longest = '🔑'.repeat(PASSWORD_LENGTH.most);
  const hash = await hashPassword(longest, CHEAP);
  assert.is(await verifyPassword(hash, longest), true);
  assert.is(await verifyPassword(hash, '🔑'.repeat(PASSWORD_LENGTH.most - 1)), false);
});

test('without an account no password fits (CLD-2)', async () => {
  assert.is(await verifyPassword(null, 'correct horse'), false);
});

test.run();
