import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { COMPLETE, DEMO, demo } from '../support/demo.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('stories: the demo');
const long = longLane(test);

const SVC = join(import.meta.dirname, '../../cli/bin/run.js');

test('the default workflow runs from request to complete, with one pull request and one merge (JOB-2 JOB-3 JOB-6 TOOL-6)', () => {
  assert.equal(demo(), { ...COMPLETE, restarts: 0 });
});

test('svc demo plays it too; killed in the middle it ends the same way (RUN-4)', () => {
  const played = spawnSync(process.execPath, [SVC, 'demo', '--crash', '--json'], {
    encoding: 'utf8',
  });
  assert.is(played.status, 0, played.stderr);
  const { jobId: _, ms: __, ...outcome } = JSON.parse(played.stdout);
  assert.equal(outcome, { ...COMPLETE, restarts: 1 });
});

test('an agent that the demo cannot start is refused with what is missing', () => {
  const runDemo = (...flags: string[]) =>
    spawnSync(process.execPath, [DEMO, ...flags], { encoding: 'utf8' });
  const { status, stderr } = runDemo('--agent', 'acp:custom');
  assert.equal(status, 2);
  assert.equal(stderr, 'acp:custom is a program of yours: name its command line with --program.\n');
  assert.match(
    runDemo('--agent', 'acp:unknown').stderr,
    /^There is no agent acp:unknown; the demo knows builtin, .*acp:custom\.$/m,
  );
  const mistyped = runDemo('--agnt', 'claude');
  assert.is(mistyped.status, 2);
  assert.match(
    mistyped.stderr,
    /^Unknown option '--agnt'\. The flags of the demo:\n {2}--crash .*\n(?: {2}--.*\n)+$/,
  );
});

long(
  'a campaign halts at a failure until a person decides, another one continues without the dependents; a person sees why (SUB-2 SUB-4 SUB-5 SUB-6 CLI-3)',
  () => {
    // For people the demo leaves its home behind.
    const folder = mkdtempSync(join(tmpdir(), 'svc-demo-test-'));
    const env = { ...process.env, NO_COLOR: '1', TMPDIR: folder };
    const run = spawnSync(process.execPath, [DEMO, '--campaign'], { encoding: 'utf8', env });
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    assert.is(run.status, 0, run.stderr);
    for (const line of [
      /reviewer finds the campaign halted: longest is escalated$/m,
      /reviewer asks what a skip would change: longest escalated → skipped; .*then the whole is dispatching$/m,
      /reviewer skips usage$/m,
      /reviewer reruns longest with \{"tie":"first"\}$/m,
      /reviewer svc campaign start .*more\.md --no-stream$/m,
      /runner \[sub-runs\] poem is skipped: waits for rhymes, which escalated$/m,
      /^ {2}usage +report +skipped +1 +- +skipped by developer: another team writes the usage$/m,
      /^ {2}poem +lines, rhymes +skipped +1 +- +waits for rhymes, which escalated$/m,
      /^ {2}- \[decision\] Of equally long words the first counts\.$/m,
      /^Complete: 2 campaigns, 8 sub-runs, 5 merges in .*, 0 restarts$/m,
    ]) {
      assert.match(run.stdout, line);
    }
  },
);

test.run();
