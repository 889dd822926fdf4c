import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toLocalPath } from '../../../src/cloud/people/sessions/toLocalPath.ts';

const test = suite('cloud: where a login leads to');
const PUBLIC = 'https://svc.example';
const lead = (next: string | undefined) => toLocalPath(next, PUBLIC, '/home');

test('an address of this origin is kept as path and query (CLD-2)', () => {
  assert.is(lead('/auth/device'), '/auth/device');
  assert.is(lead('/t/acme/?tab=jobs#x'), '/t/acme/?tab=jobs#x');
});

for (const next of [
  undefined,
  '',
  'https://evil.example/',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/%2e//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  'javascript:alert(1)',
  ' /auth/device',
  'auth/device',
])
  test(`${JSON.stringify(next)} leads home (CLD-2)`, () => {
    assert.is(lead(next), '/home');
  });

test.run();
