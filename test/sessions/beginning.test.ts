import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EffectRun } from '../../src/kernel/port.ts';
import { DiskWatch } from '../../src/jobs/slots/diskWatch.ts';
import { LiveSessions } from '../../src/sessions/open/liveSessions.ts';
import type { OpenParams, OpenSessionDeps } from '../../src/sessions/open/openSessionDeps.ts';
import { openSession } from '../../src/sessions/open/openSession.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';

const test = suite('a session that is about to begin');

const MB = 1024 * 1024;
const PARAMS = {
  visit: 1,
  session: 1,
  phase: { name: 'coding', agent: null },
} as OpenParams;
const RUN = { actorId: 'job-1', signal: new AbortController().signal } as EffectRun;
const INTERRUPTED = {
  type: 'session.ended',
  visit: 1,
  session: 1,
  stopReason: 'interrupted',
  error: null,
  usage: null,
};

/** The port with so many MB free, while `reading` is made. */
const stage = (freeMb: number, reading: () => void = () => {}) => {
  const clock = new SimulatedClock();
  const sessions = new LiveSessions();
  const job = { isCurrent: true };
  const deps: Partial<OpenSessionDeps> = {
    clock,
    sessions,
    disk: new DiskWatch({
      folders: ['/home'],
      minFreeMb: () => 1000,
      async read() {
        reading();
        return freeMb * MB;
      },
      clock,
      log: { info() {}, warn() {} },
    }),
    settings: { runner: { stopGraceSeconds: 1 } } as OpenSessionDeps['settings'],
    budgets: { begin: async () => null } as Partial<
      OpenSessionDeps['budgets']
    > as OpenSessionDeps['budgets'],
    quota: { now: () => clock.now() } as Partial<
      OpenSessionDeps['quota']
    > as OpenSessionDeps['quota'],
    readContext: () => ({ params: {} }) as ReturnType<OpenSessionDeps['readContext']>,
    isCurrent: () => job.isCurrent,
  };
  return { open: openSession(deps as OpenSessionDeps), sessions, job };
};

test('on a low disk it ends at once, with the reason', async () => {
  const { open, sessions } = stage(300);
  const answer = await open(PARAMS, RUN);
  assert.equal(answer?.events, [
    {
      ...INTERRUPTED,
      disk: 'the disk of /home has 300 MB free; sessions start by themselves once it has 1,250 MB (runner.minFreeDiskMb is 1000)',
    },
  ]);
  assert.is(sessions.size, 0);
});

test('a stop while the disk is read is not lost: no agent starts', async () => {
  const { open, sessions, job } = stage(5000, () => {
    job.isCurrent = false;
  });
  const answer = await open(PARAMS, RUN);
  assert.equal(answer?.events, [INTERRUPTED]);
  assert.is(sessions.size, 0);
});

test.run();
