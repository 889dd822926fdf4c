import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { powerLoop } from '../support/crash/powerLoss.ts';

const test = suite('loss of power');

test('what was acknowledged survives a loss of everything that was not synced (RUN-4)', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-power-'));
  const seed = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  const { summary, problems } = await powerLoop(dir, { rounds: 24, seed });
  console.log(`\nnote: ${JSON.stringify(summary)}`);
  assert.equal(problems, [], `again with KILL_SEED=${seed}`);
  assert.ok(summary.power.losses > 0, 'something was lost');
  assert.ok(summary.commands.acknowledged >= 10, 'there was a load');
  rmSync(dir, { recursive: true, force: true });
});

test.run();
