import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { followProgram } from '../../../src/host/upgrade/childRunner.ts';
import { TRIAL_MS } from '../../../src/host/upgrade/awaitHealthy.ts';
import type { RunningRunner } from '../../../src/host/upgrade/runningRunner.ts';
import {
  UpgradeSupervisor,
  LOADING_MS,
  STATE_WAIT_MS,
} from '../../../src/host/upgrade/upgradeSupervisor.ts';
import { findFailedBuild, finishUpgrade } from '../../../src/host/upgrade/finishUpgrade.ts';
import {
  openFailedBuild,
  type UpgradePlan,
  openUpgradePlan,
} from '../../../src/host/upgrade/upgradePlan.ts';
import { type Program, readProgramAt } from '../../../src/host/upgrade/program.ts';
import { createDeferred } from '../../../src/base/concurrency/createDeferred.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { FromSuccessor, ToSuccessor } from '../../../src/contract/schema/runner/handover.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('upgrade supervisor');

let dir: string;
let home: string;
/** Whether another process has the state. */
let stateIsHeld = false;
test.before.each(() => {
  stateIsHeld = false;
  dir = mkdtempSync(join(tmpdir(), 'svc-upgrade-'));
  home = join(dir, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'state.db'), 'as the old one left it');
});
test.after.each(() => rmSync(dir, { recursive: true, force: true }));

/** A program of svc on the disk. */
function program(version: string): Promise<Program> {
  const root = join(dir, `svc-${version}`);
  for (const [file, text] of [
    ['package.json', JSON.stringify({ name: '@svc/runner', version })],
    ['dist/runner/main.js', `// ${version}`],
    ['dist/cli/start.js', ''],
  ] as const) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return readProgramAt(root);
}

const NOT_BUSY = { isBusy: () => false, isHeld: () => false };
const READY: FromSuccessor = { type: 'ready', protocol: 1, version: '', storeVersion: 24 };
const URL_OF_NEW = 'http://127.0.0.1:4000';
/** What a new runner does with each message of its supervisor. */
type Answers = Partial<Record<ToSuccessor['type'], (it: Puppet) => void>>;

/** A new runner that is played by hand. */
class Puppet {
  readonly heard: string[] = [];
  readonly #end = createDeferred<number>();
  #take: (message: unknown) => void = () => {};
  readonly child;

  constructor(of: Program, answers: Answers) {
    this.child = followProgram(of, {
      channel: {
        send: (message) => {
          const { type } = message as ToSuccessor;
          this.heard.push(type);
          answers[type]?.(this);
        },
        onMessage: (take) => {
          this.#take = take;
        },
        onGone: () => {},
        close: () => {},
      },
      ended: this.#end.promise,
      kill: () => this.#end.resolve(143),
    });
  }

  say(message: FromSuccessor): void {
    this.#take(message);
  }

  end(code: number): void {
    this.#end.resolve(code);
  }
}

/** A healthy one: it loads, opens the state and serves. */
const HEALTHY: Answers = {
  go: (it) => {
    writeFileSync(join(home, 'state.db'), 'written by the new one');
    it.say({ type: 'serving', url: URL_OF_NEW });
  },
};

async function stage(
  answers: Answers,
  opening: FromSuccessor | null = READY,
  whileStarting: (supervisor: UpgradeSupervisor) => void = () => {},
) {
  const clock = new SimulatedClock();
  const from = await program('0.2.0');
  const ownEnd = createDeferred<number>();
  const steps: string[] = [];
  const own: RunningRunner = {
    program: Promise.resolve(from),
    storeVersion: 24,
    port: 3000,
    async release() {
      steps.push('released');
    },
    signal(signal) {
      steps.push(signal);
      ownEnd.resolve(0);
    },
    stopHandingOver() {
      steps.push('handing over');
      ownEnd.resolve(0);
    },
    ended: ownEnd.promise,
  };
  let puppet: Puppet | undefined;
  const said: string[] = [];
  const over = createDeferred<void>();
  const supervisor = new UpgradeSupervisor(own, {
    home,
    stateDb: join(home, 'state.db'),
    clock,
    createId: () => 'id-1',
    pid: 42,
    isHeld: () => stateIsHeld,
    holder: () => 'process 7 (sqlite3)',
    keepProgram: async (root) => root,
    start(of) {
      puppet = new Puppet(of, answers);
      if (opening !== null) puppet.say(opening);
      return puppet.child;
    },
    isHealthy: async () => {},
    async startAgain(program_, port) {
      whileStarting(supervisor);
      steps.push(`started again: ${program_.version} on ${port}`);
      return own;
    },
    tell(line) {
      said.push(line);
      if (/has taken over|continues\.|could not be started/.test(line)) over.resolve();
    },
  });
  return { supervisor, clock, steps, said, own: ownEnd, over: over.promise, it: () => puppet };
}

const planNow = async () => (await openUpgradePlan(home).read())?.step;
const state = () => readFileSync(join(home, 'state.db'), 'utf8');
const messageOfRefusal = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'not refused',
    (error: unknown) => (error instanceof SvcError ? error.message : String(error)),
  );

test('a healthy program takes over: released, copied, opened, confirmed', async () => {
  const to = await program('0.2.1');
  const { supervisor, steps, over, it } = await stage(HEALTHY);
  const reply = await supervisor.restart(to.root);
  assert.equal([reply.id, reply.from.version, reply.to.version], ['id-1', '0.2.0', '0.2.1']);
  await over;
  assert.equal(steps, ['released']);
  assert.equal(it()?.heard, ['go', 'confirmed']);
  assert.is(readFileSync(join(home, 'state.db.0.2.0'), 'utf8'), 'as the old one left it');
  assert.is(state(), 'written by the new one');
  assert.equal([await planNow(), (await openUpgradePlan(home).read())?.reason], ['over', null]);
  it()?.end(0);
  assert.is(await supervisor.ended, 0, 'the supervisor ends with its program');
});

test('a program that is not healthy in 120 s is ended and the copy is put back', async () => {
  const to = await program('0.2.1');
  const { supervisor, clock, steps, said, over, it } = await stage({
    go: () => writeFileSync(join(home, 'state.db'), 'written by the new one'),
  });
  await supervisor.restart(to.root);
  await waitFor(async () => it()?.heard.includes('go') === true);
  await clock.advance(TRIAL_MS);
  await over;
  assert.equal(steps, ['released', 'started again: 0.2.0 on 3000']);
  assert.is(state(), 'as the old one left it');
  assert.ok(
    said.some((line) => line.includes('It was not healthy within 120 s')),
    said.join('\n'),
  );
  const failed = await findFailedBuild(home, to);
  assert.is(failed?.instead.version, '0.2.0', 'a start of the failed build runs the previous one');
  assert.is(await findFailedBuild(home, await program('0.2.2')), null, 'another build may run');
});

test('a program that ends on trial is taken back at once, and no confirmation was sent', async () => {
  const to = await program('0.2.1');
  const { supervisor, steps, over, it } = await stage({ go: (puppet) => puppet.end(3) });
  await supervisor.restart(to.root);
  await over;
  assert.equal(steps.at(-1), 'started again: 0.2.0 on 3000');
  assert.not.ok(it()?.heard.includes('confirmed'));
  assert.match((await openUpgradePlan(home).read())?.reason ?? '', /exited with code 3/);
});

test('nothing is stopped for a program that does not load, says why, or speaks another way', async () => {
  const to = await program('0.2.1');
  const silent = await stage({}, null);
  const refusal = messageOfRefusal(silent.supervisor.restart(to.root));
  await waitFor(async () => silent.it() !== undefined);
  await silent.clock.advance(LOADING_MS);
  assert.match(await refusal, /cannot take over; the runner continues unchanged\. It did not load/);

  const failing = await stage({}, { type: 'failed', message: 'The port is not a number.' });
  const message = messageOfRefusal(failing.supervisor.restart(to.root));
  await waitFor(async () => failing.it() !== undefined);
  failing.it()?.end(2);
  assert.match(await message, /The port is not a number\./);

  const other = await stage({}, { ...READY, protocol: 2 });
  assert.match(await messageOfRefusal(other.supervisor.restart(to.root)), /Stop the runner first/);
  assert.equal([silent.steps, failing.steps, other.steps], [[], [], []]);
});

test('an older release and one that reads an older state only are refused, and the copy is named', async () => {
  const older = await program('0.1.9');
  const { supervisor, steps, it } = await stage(HEALTHY);
  const message = await messageOfRefusal(supervisor.restart(older.root));
  assert.match(message, /svc 0\.1\.9 is older than svc 0\.2\.0/);
  assert.ok(message.includes(join(home, 'state.db.0.1.9')), message);
  assert.is(it(), undefined, 'it was not even started');
  const same = await program('0.2.1');
  const short = await stage(HEALTHY, { ...READY, storeVersion: 23 });
  assert.match(await messageOfRefusal(short.supervisor.restart(same.root)), /is older than/);
  assert.equal([...steps, ...short.steps], []);
});

test('what is no svc, and a second take-over beside the first, are refused', async () => {
  const to = await program('0.2.1');
  const { supervisor, over } = await stage(HEALTHY);
  assert.match(await messageOfRefusal(supervisor.restart(dir)), /is not an svc installation/);
  const first = supervisor.restart(to.root);
  assert.match(await messageOfRefusal(supervisor.restart(to.root)), /already taking over/);
  await first;
  await over;
});

test('the same build again needs no copy and blames no build', async () => {
  const { supervisor, over } = await stage({ go: (puppet) => puppet.end(1) });
  await supervisor.restart(null);
  await over;
  assert.not.ok(existsSync(join(home, 'state.db.0.2.0')));
  assert.is(await openFailedBuild(home).read(), null);
});

test('a program that waits for the state has its time from then on; what it waits for is in the plan', async () => {
  const to = await program('0.2.1');
  const reason = 'state.db is in use by process 7 (sqlite3).';
  const { supervisor, clock, steps, over, it } = await stage({
    go: (puppet) => puppet.say({ type: 'waiting', reason }),
  });
  await supervisor.restart(to.root);
  await waitFor(async () => (await openUpgradePlan(home).read())?.waitsFor === reason);
  await clock.advance(TRIAL_MS - 1);
  it()?.say({ type: 'waiting', reason });
  await clock.advance(TRIAL_MS - 1);
  assert.equal(steps, ['released'], 'it is not taken back');
  it()?.say({ type: 'serving', url: URL_OF_NEW });
  await over;
  assert.equal(
    [await planNow(), (await openUpgradePlan(home).read())?.waitsFor],
    ['over', undefined],
  );
});

test('a copy is not put back under another process that has opened the state meanwhile', async () => {
  const to = await program('0.2.1');
  const { supervisor, clock, said, over } = await stage({
    go: (puppet) => {
      writeFileSync(join(home, 'state.db'), 'of another process');
      stateIsHeld = true;
      puppet.end(3);
    },
  });
  await supervisor.restart(to.root);
  await waitFor(async () => (await planNow()) === 'taking-back');
  let waits = true;
  void over.then(() => {
    waits = false;
  });
  await waitFor(async () => {
    clock.advance(STATE_WAIT_MS / 10);
    return !waits;
  });
  assert.is(state(), 'of another process');
  assert.ok(
    said.some((line) =>
      /could not be started again: .* is still in use by process 7 \(sqlite3\)\.$/.test(line),
    ),
    said.join('\n'),
  );
  assert.is(await supervisor.ended, 1);
});

test('a start while a take-over is under way is refused, and changes nothing', async () => {
  const [from, to] = [await program('0.2.0'), await program('0.2.1')];
  const copy = join(home, 'state.db.0.2.0');
  writeFileSync(copy, 'as the old one left it');
  writeFileSync(join(home, 'state.db'), 'open');
  const plan = { id: 'x', from, to, copy, reason: null, pid: 42, startedAt: '' };
  await openUpgradePlan(home).write({ ...plan, step: 'trial' });
  const refused = await messageOfRefusal(
    finishUpgrade(home, join(home, 'state.db'), from, {
      isBusy: (pid) => pid === 42,
      isHeld: () => false,
    }),
  );
  assert.match(refused, /^Process 42 is switching this home to svc 0\.2\.1/);
  const message = await messageOfRefusal(
    finishUpgrade(home, join(home, 'state.db'), from, {
      isBusy: () => false,
      isHeld: () => true,
    }),
  );
  assert.match(message, /still uses .*state\.db\. Wait until it exits/);
  assert.equal([state(), await planNow()], ['open', 'trial']);
});

test('a signal in the middle of a trial puts the state back and ends', async () => {
  const to = await program('0.2.1');
  const { supervisor, it } = await stage({
    go: () => writeFileSync(join(home, 'state.db'), 'written by the new one'),
  });
  await supervisor.restart(to.root);
  await waitFor(async () => it()?.heard.includes('go') === true);
  supervisor.signal('SIGTERM');
  assert.is(await supervisor.ended, 0);
  assert.is(state(), 'as the old one left it');
});

test('a signal that comes while the previous program starts again stops it then', async () => {
  const to = await program('0.2.1');
  const { supervisor, steps } = await stage({ go: (puppet) => puppet.end(3) }, READY, (starting) =>
    starting.signal('SIGTERM'),
  );
  await supervisor.restart(to.root);
  assert.is(await supervisor.ended, 0);
  assert.equal(steps, ['released', 'SIGTERM', 'started again: 0.2.0 on 3000', 'SIGTERM']);
});

test('without a take-over, signals reach the runner and its end is the end', async () => {
  const { supervisor, steps } = await stage(HEALTHY);
  supervisor.signal('SIGTERM');
  assert.is(await supervisor.ended, 0);
  assert.equal(steps, ['SIGTERM']);
  assert.match(await messageOfRefusal(supervisor.restart(null)), /The runner is stopping/);
});

test('killed at any step, the next start finds the state whole, whichever program starts', async () => {
  const [from, to] = [await program('0.2.0'), await program('0.2.1')];
  const copy = join(home, 'state.db.0.2.0');
  const plan: UpgradePlan = {
    id: 'x',
    step: 'releasing',
    from,
    to,
    copy: null,
    reason: null,
    pid: 42,
    startedAt: '',
  };
  const begin = (step: UpgradePlan['step'], withCopy: boolean) => {
    writeFileSync(copy, 'as the old one left it');
    writeFileSync(join(home, 'state.db'), 'written by the new one');
    writeFileSync(join(home, 'state.db-wal'), 'more of it');
    return openUpgradePlan(home).write({ ...plan, step, copy: withCopy ? copy : null });
  };
  const starts = async (step: UpgradePlan['step'], withCopy: boolean, starting: Program) => {
    await begin(step, withCopy);
    await finishUpgrade(home, join(home, 'state.db'), starting, NOT_BUSY);
    await finishUpgrade(home, join(home, 'state.db'), starting, NOT_BUSY);
    return [state(), existsSync(join(home, 'state.db-wal')), await planNow()];
  };
  const kept = ['written by the new one', true, 'over'];
  const back = ['as the old one left it', false, 'over'];
  assert.equal(await starts('releasing', false, from), kept, 'the state is still its own');
  assert.equal(await starts('releasing', false, to), kept);
  assert.equal(await starts('trial', true, from), back, 'nothing was acknowledged');
  assert.equal(await starts('trial', true, to), kept, 'it continues with what it has');
  assert.equal(await starts('taking-back', true, from), back);
  assert.equal(await starts('taking-back', true, to), back);
  assert.equal(await starts('over', true, from), kept);
});

/** Until it is so: the upgrade reads and writes files. */
async function waitFor(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}

test.run();
