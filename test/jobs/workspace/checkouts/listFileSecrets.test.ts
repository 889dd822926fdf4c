import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listFileSecrets } from '../../../../src/jobs/workspace/checkouts/listFileSecrets.ts';

const test = suite('secrets in files of a person');

const PEM_LINE = 'MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn7ygWyF8b9Vq1x';

for (const [text, secret] of [
  ['API_TOKEN=canary-value', 'canary-value'],
  ['export API_KEY="with space"', 'with space'],
  ['{ "password": "canary-json" }', 'canary-json'],
  ['api_key: canary-yaml', 'canary-yaml'],
  ['DATABASE_URL=postgres://app:canary-pass@localhost/db', 'canary-pass'],
  [`KEY="-----BEGIN\n${PEM_LINE}\n-----END"`, PEM_LINE],
  [`# a key\n${PEM_LINE}\n`, PEM_LINE],
] as const)
  test(`the secret of ${JSON.stringify(text).slice(0, 40)}`, () =>
    assert.ok(listFileSecrets(text).includes(secret), listFileSecrets(text).join(' ')));

test('plain values stay readable in logs', () => {
  assert.equal(
    listFileSecrets('NODE_ENV=development\nPORT=3000\nHOST=localhost\nDEBUG=true\n'),
    [],
  );
});

test.run();
