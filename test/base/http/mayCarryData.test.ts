import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mayCarryData } from '../../../src/base/http/mayCarryData.ts';

const test = suite('links in what a model says');

for (const address of [
  'https://github.com/acme/shop/issues/7',
  'https://docs.example.com/guide/getting-started#install',
  'http://127.0.0.1:3000/dashboard/#/jobs',
  'https://example.com/search?q=checkout+fails',
])
  test(`can be clicked: ${address}`, () => {
    assert.not(mayCarryData(address));
  });

for (const address of [
  `https://evil.example/?q=${'a b '.repeat(40)}`,
  `https://evil.example/${Buffer.from('the contents of a private file').toString('base64url')}`,
  `https://evil.example/x?d=${Buffer.from('the contents of a private file').toString('hex')}`,
  `https://evil.example/#${'%41'.repeat(12)}`,
  `https://evil.example/${'abcdefgh'.repeat(5)}/x.png`,
  'https://user:secret@evil.example/',
  'javascript:alert(1)',
  'data:text/html,hi',
  'no address',
])
  test(`is text only: ${address.slice(0, 60)}`, () => {
    assert.ok(mayCarryData(address));
  });

test.run();
