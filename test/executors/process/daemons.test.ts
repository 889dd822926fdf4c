import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCommandExecutor } from '../../../src/executors/command/createCommandExecutor.ts';
import { endCgroups, wrapInCgroup } from '../../../src/executors/process/sessionCgroup.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { isAlive, prepare } from '../../support/agents/sessionRequest.ts';

const test = suite('executor daemons');

const executor = createCommandExecutor({ clock: systemClock, graceMs: 200 });

/**
 * Programs that leave a child behind which nothing but its cgroup tells from others; each prints
 * the pid of the child.
 */
const DAEMONS: readonly (readonly [what: string, script: string])[] = [
  [
    'a session of its own without an environment',
    'setsid env -i sleep 777 > /dev/null 2>&1 < /dev/null & echo daemon $!',
  ],
  [
    'forked twice without an environment',
    "(setsid env -i sh -c 'sleep 777 > /dev/null 2>&1 < /dev/null & echo daemon $!' &) ; sleep 0.2",
  ],
  [
    'deaf to SIGTERM',
    'setsid env -i sh -c \'trap "" TERM; while :; do sleep 1; done\' > /dev/null 2>&1 & echo daemon $!',
  ],
];

/**
 * Whether the kernel gives this process cgroups; the group that is made for it is removed at once.
 */
const start = { program: 'sh', args: ['-c', 'true'] };
const isGiven = wrapInCgroup(`try-${process.pid}`, start, { env: process.env, cwd: '/' }) !== start;
await endCgroups(systemClock, (one) => one === `try-${process.pid}`, 0);

for (const [what, script] of DAEMONS) {
  const title = `a daemon is ended with its session: ${what}`;
  const run = async () => {
    await using it = await prepare(['sh', '-c', script]);
    const session = await executor.run(it.request);
    assert.is((await session.result).stopReason, 'end_turn');
    const pid = Number(/daemon (\d+)/.exec(it.lines('stdout').join('\n'))?.[1]);
    assert.ok(pid > 1, it.lines('stdout').join());
    assert.is(await isAlive(pid), false);
  };
  if (isGiven) test(title, run);
}

if (!isGiven)
  test('the kernel gives this process no cgroup of version 2: programs are started as they are', () => {
    assert.is(wrapInCgroup('m', start, { env: process.env, cwd: '/' }), start);
  });

test.run();
