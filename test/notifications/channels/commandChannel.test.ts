import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCommandChannel } from '../../../src/notifications/channels/commandChannel.ts';
import { makeMessage } from '../../support/notifications/makeMessage.ts';

const test = suite('notifications: a command of the user');

const scratchFolder = () => mkdtempSync(join(tmpdir(), 'svc-notify-'));
const { signal } = new AbortController();
const open = (folder: string, command: readonly string[]) =>
  createCommandChannel({ command, folder, env: { PATH: process.env.PATH } });

test('it gets the message as JSON on stdin', async () => {
  const folder = scratchFolder();
  const outcome = await open(folder, ['sh', '-c', 'cat > got.json']).send(makeMessage(), signal);
  assert.equal(outcome, { is: 'delivered' });
  assert.equal(JSON.parse(readFileSync(join(folder, 'got.json'), 'utf8')), makeMessage());
});

test('one that ends with an error is started again later, and its last words are shown', async () => {
  const channel = open(scratchFolder(), ['sh', '-c', 'echo "no network" >&2; exit 3']);
  assert.ok(channel.repeats);
  assert.equal(await channel.send(makeMessage(), signal), {
    is: 'uncertain',
    problem: 'ended with code 3: no network',
  });
});

test('one that does not read its input, and one that is missing, are reported', async () => {
  const folder = scratchFolder();
  assert.equal(await open(folder, ['true']).send(makeMessage(), signal), { is: 'delivered' });
  const missing = await open(folder, ['/no/such/program']).send(makeMessage(), signal);
  assert.is(missing.is, 'refused');
});

test('one that hangs ends with the runner, and what it has started too', async () => {
  const stopping = new AbortController();
  const outcome = open(scratchFolder(), ['sh', '-c', 'sleep 600 & sleep 600']).send(
    makeMessage(),
    stopping.signal,
  );
  stopping.abort();
  assert.equal(await outcome, {
    is: 'uncertain',
    problem: 'was ended because the runner stops',
  });
});

test.run();
