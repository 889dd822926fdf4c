import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCommandExecutor } from '../../../src/executors/command/createCommandExecutor.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { isAlive } from '../../support/agents/sessionRequest.ts';

const test = suite('executor orphans');

const executor = createCommandExecutor({ clock: systemClock, graceMs: 200 });

/**
 * Starts a runner of another process whose agents say their pid, and kills the runner as a crash
 * would.
 */
async function agentsOfDeadRunner(markers: string[], script: string): Promise<number[]> {
  const runner = `
    const { spawn } = require('node:child_process');
    for (const marker of ${JSON.stringify(markers)}) {
      spawn('sh', ['-c', ${JSON.stringify(script)}], { detached: true, stdio: ['ignore', 'inherit', 'ignore'], env: { PATH: process.env.PATH, SVC_MARKER: marker } });
    }
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['-e', runner], { stdio: ['ignore', 'pipe', 'ignore'] });
  const pids: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    pids.push(Number(line));
    if (pids.length === markers.length) break;
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
  return pids;
}

test('agents that outlived a killed runner are found by their marker and ended, others are left alone', async () => {
  const mine = `/home-${process.pid}#`;
  const foreign = `/other-${process.pid}#`;
  const [one = 0, two = 0] = await agentsOfDeadRunner(
    [`${mine}job-1/1.1`, `${mine}job-2/3.1`],
    'echo $$; sleep 100 & wait',
  );
  const [other = 0] = await agentsOfDeadRunner(
    [`${foreign}job-1/1.1`],
    'echo $$; sleep 100 & wait',
  );
  assert.equal(
    await Promise.all([one, two, other].map(isAlive)),
    [true, true, true],
    'they outlived their runner',
  );
  assert.is(await executor.endOrphans(mine), 2);
  assert.equal(await Promise.all([one, two, other].map(isAlive)), [false, false, true]);
  assert.is(await executor.endOrphans(mine), 0);
  assert.is(await executor.endOrphans(foreign), 1);
});

test('an orphan that ignores SIGTERM is killed', async () => {
  const mine = `/deaf-${process.pid}#`;
  const [pid = 0] = await agentsOfDeadRunner(
    [`${mine}job-1/1.1`],
    "trap '' TERM; echo $$; while :; do sleep 0.05; done",
  );
  assert.is(await executor.endOrphans(mine), 1);
  assert.is(await isAlive(pid), false);
});

test('a runner that itself carries the marker does not end itself', async () => {
  const marker = `/self-${process.pid}#job-1/1.1`;
  const script = `
    import { createCommandExecutor } from ${JSON.stringify(new URL('../../../src/executors/command/createCommandExecutor.ts', import.meta.url).href)};
    import { systemClock } from ${JSON.stringify(new URL('../../../src/base/time/clock.ts', import.meta.url).href)};
    console.log(await createCommandExecutor({ clock: systemClock }).endOrphans('/self-${process.pid}#'));`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: new URL('../../..', import.meta.url),
    env: { PATH: process.env.PATH, SVC_MARKER: marker },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  const [code] = await once(child, 'close');
  assert.equal({ code, out }, { code: 0, out: '0\n' });
});

test.run();
