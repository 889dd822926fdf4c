import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { suggestCloudRelease } from '../../cli/cloud/suggestCloudRelease.ts';

const test = suite('svc upgrade: the release of the control plane');

const suggest = (answer: () => Response, own = '0.2.0') =>
  suggestCloudRelease(
    { io: { fetch: async () => answer() }, url: 'https://svc.example', version: own },
    own,
  );

test('a newer release is named, with how to install it (CLI-2)', async () => {
  const suggestion = await suggest(() => Response.json({ version: '0.3.0' }));
  assert.match(suggestion ?? '', 'npm install -g @svc/runner@0.3.0');
});

for (const version of ['0.2.0', '0.1.9'])
  test(`${version} beside 0.2.0 is not suggested (CLI-2)`, async () => {
    assert.is(await suggest(() => Response.json({ version })), null);
  });

test('a control plane that does not answer changes nothing (CLI-2)', async () => {
  assert.is(await suggest(() => new Response('', { status: 503 })), null);
  const away = () => {
    throw new Error('no connection');
  };
  assert.is(await suggest(away), null);
});

test.run();
