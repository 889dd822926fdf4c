import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/base/time/clock.ts';
import {
  MAX_SCRIPT_OUTPUT_BYTES,
  runScriptInCheckout,
  type ScriptStart,
} from '../../../src/executors/process/runScriptInCheckout.ts';

const test = suite('a script of a checkout');

const run = async (script: string, over: Partial<ScriptStart> = {}) => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-script-'));
  const lines: string[] = [];
  const end = await runScriptInCheckout({
    script,
    cwd: dir,
    env: { PATH: process.env.PATH ?? '', OWN: 'own' },
    marker: `${dir}#script`,
    sandbox: undefined,
    sessionDir: dir,
    timeMs: 60_000,
    signal: new AbortController().signal,
    clock: systemClock,
    graceMs: 0,
    onLines: async (some) => void lines.push(...some),
    ...over,
  });
  return { end, lines };
};

test('its lines are given on, and it gets no other variables', async () => {
  const { end, lines } = await run('echo "$OWN"; env | grep -c ^HOME= || true');
  assert.equal(end, { how: 'done' });
  assert.equal(lines, ['own', '0']);
});

test('it ends at the first line that fails, and the reason has its last words', async () => {
  const { end } = await run('echo before\nfalse\necho after');
  assert.equal(end, { how: 'failed', reason: 'it ended with exit code 1', words: 'before' });
});

test('it is ended after its time, with what it has started', async () => {
  const { end } = await run('sleep 600 & wait', { timeMs: 60 });
  assert.is(end.how, 'failed');
  assert.match(Object(end).reason, /took longer than/);
});

test('it is ended when no one waits for it', async () => {
  const leaving = new AbortController();
  const running = run('echo begun; sleep 600', {
    signal: leaving.signal,
    onLines: async () => leaving.abort(),
  });
  assert.equal((await running).end, { how: 'stopped' });
});

test('what a script writes beyond the limit is left out, once said', async () => {
  const { end, lines } = await run(
    `head -c ${MAX_SCRIPT_OUTPUT_BYTES * 2} /dev/zero | tr '\\0' 'x' | fold -w 1000; echo last`,
  );
  assert.equal(end, { how: 'done' });
  assert.ok(lines.join('\n').length < MAX_SCRIPT_OUTPUT_BYTES + 200);
  assert.match(lines.at(-1) ?? '', /the rest is not kept/);
});

test.run();
