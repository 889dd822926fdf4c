import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FENCED_EXIT_CODE } from '../../../src/base/errors/cloudExitCodes.ts';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import { createDeferred } from '../../../src/base/concurrency/createDeferred.ts';
import type { AdoptedJob } from '../../../src/contract/schema/runner/cloudStatus.ts';
import type { ToSuccessor } from '../../../src/contract/schema/runner/handover.ts';
import {
  KEPT_ADOPTION_MS,
  listAdoptions,
  toAdoptedHome,
} from '../../../src/host/adoption/adoptionRecord.ts';
import { AdoptedHomes, type OfferedHome } from '../../../src/host/adoption/adoptedHomes.ts';
import { furnishAdoptedHome } from '../../../src/host/adoption/furnishAdoptedHome.ts';
import type { ChildRunner } from '../../../src/host/upgrade/childRunner.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';
import { PATIENCE_MS } from '../../support/inTime.ts';
import { Looks } from '../../support/looks.ts';

const test = suite('homes of lost runners that a runner continues');

const OFFER: OfferedHome = {
  homeId: 'home-1',
  runnerId: 'runner-1',
  name: 'pool-1',
  token: 'svcr_first',
  storeVersion: 30,
  owner: null,
};

/** The process of an adopted home, as the test lets it behave. */
class Puppet implements ChildRunner {
  readonly program = { root: '/svc', version: '0.2.0', build: 'b' };
  readonly #ready = createDeferred<Awaited<ChildRunner['ready']>>();
  readonly #serving = createDeferred<string>();
  readonly #ended = createDeferred<number>();
  readonly ready = this.#ready.promise;
  readonly serving = this.#serving.promise;
  readonly ended = this.#ended.promise;
  readonly said: ToSuccessor[] = [];
  showJobs: (jobs: readonly AdoptedJob[]) => void = () => {};
  sayOver: () => void = () => {};

  say(message: ToSuccessor): void {
    this.said.push(message);
    // As the real one, it ends when it is asked to.
    if (message.type === 'release') this.#ended.resolve(0);
  }
  signal(): void {}
  onWaiting(): void {}
  onRestart(): void {}
  onJobs(run: (jobs: readonly AdoptedJob[]) => void): void {
    this.showJobs = run;
  }
  onOver(run: () => void): void {
    this.sayOver = run;
  }
  serve(url: string): void {
    this.#ready.resolve({ protocol: 1, version: '0.2.0', storeVersion: 30 });
    this.#serving.resolve(url);
  }
  die(code: number): void {
    this.#ended.resolve(code);
  }
}

/** Resolves once this is so. */
async function quiet(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  const looks = new Looks();
  while (!isSo()) {
    assert.ok(Date.now() < deadline, 'it did not come to that');
    await looks.pause();
  }
}

function stage(options: { home?: string; slots?: number; refusal?: string | null } = {}) {
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'svc-adopter-'));
  const clock = new SimulatedClock();
  const started: Puppet[] = [];
  const tokens: (string | null)[] = [];
  let changes = 0;
  const homes = new AdoptedHomes({
    home,
    slots: () => options.slots ?? 1,
    storeVersion: 30,
    refuse: () => options.refusal ?? null,
    async furnish(_adoption, adoptedHome, token) {
      tokens.push(token);
      await furnishAdoptedHome(home, adoptedHome, { cloud: { token } }, randomIds);
    },
    async start() {
      const child = new Puppet();
      started.push(child);
      return child;
    },
    onChange: () => {
      changes += 1;
    },
    clock,
    ids: randomIds,
    log: { info() {}, warn() {} },
  });
  const child = async (n: number): Promise<Puppet> => {
    await quiet(() => started.length >= n);
    return started[n - 1] as Puppet;
  };
  return { home, clock, homes, started, tokens, child, changes: () => changes };
}

test('an offer is taken where there is room, and its process gets a port of its own and a private file with the token', async () => {
  const { homes, child, home } = stage();
  assert.is(homes.free, 1);
  assert.equal(await homes.adopt(OFFER), { ok: true });
  assert.is(homes.free, 0);
  const first = await child(1);
  const config = join(toAdoptedHome(home, 'home-1'), 'config.json');
  assert.match(readFileSync(config, 'utf8'), 'svcr_first');
  assert.is(statSync(config).mode & 0o777, 0o600);
  first.serve('http://127.0.0.1:4321');
  await quiet(() => homes.list()[0]?.url !== null);
  assert.equal(first.said, [{ type: 'go', port: 0 }, { type: 'confirmed' }]);
  const jobs = [{ id: 'job-1', title: 'Fix it', status: 'coding' }];
  first.showJobs(jobs);
  const [adoptedHome] = homes.list();
  assert.equal(adoptedHome?.runner, { id: 'runner-1', name: 'pool-1' });
  assert.is(adoptedHome?.url, 'http://127.0.0.1:4321');
  assert.equal(adoptedHome?.jobs, jobs);
  await homes.close(false);
});

const REFUSED: [why: string, Parameters<typeof stage>[0], Partial<OfferedHome>][] = [
  ['there is no slot', { slots: 0 }, {}],
  ['the owner is not one whose jobs run here', { refusal: 'only my own' }, {}],
  ['the state is of a newer svc', {}, { storeVersion: 31 }],
  ['the id would lead out of the folder', {}, { homeId: '../../x' }],
];
for (const [why, options, more] of REFUSED)
  test(`an offer is refused where ${why}, and nothing is written`, async () => {
    const { homes, home, started } = stage(options);
    assert.is((await homes.adopt({ ...OFFER, ...more })).ok, false);
    assert.is(started.length, 0);
    assert.is(existsSync(join(home, 'adopted')), false);
  });

test('a process that dies is started again with the token that it had, and given up after the fifth time', async () => {
  const { homes, child, clock, tokens, home } = stage();
  await homes.adopt(OFFER);
  for (const n of [1, 2, 3, 4]) {
    (await child(n)).die(1);
    // One wait at most: the process of before has just ended.
    await quiet(() => {
      clock.advance(1_000);
      return tokens.length > n + 1;
    });
  }
  (await child(5)).die(1);
  await quiet(() => homes.list().length === 0);
  assert.equal(tokens, ['svcr_first', 'svcr_first', null, null, null, null]);
  assert.is((await listAdoptions(home))[0]?.endedAt, clock.now());
});

test('when its jobs have ended the slot is free, and the folder is kept for seven days', async () => {
  const { homes, child, home, clock } = stage();
  await homes.adopt(OFFER);
  const first = await child(1);
  first.sayOver();
  first.die(0);
  await quiet(() => homes.free === 1);
  const folder = toAdoptedHome(home, 'home-1');
  await quiet(() => existsSync(folder));
  clock.advance(KEPT_ADOPTION_MS - 1);
  await homes.resume();
  assert.ok(existsSync(folder));
  clock.advance(1);
  await homes.resume();
  assert.is(existsSync(folder), false);
});

test('a process that was fenced is not started again: another one has the home', async () => {
  const { homes, child, started, home } = stage();
  await homes.adopt(OFFER);
  (await child(1)).die(FENCED_EXIT_CODE);
  await quiet(() => homes.list().length === 0);
  assert.is(started.length, 1);
  assert.is.not((await listAdoptions(home))[0]?.endedAt, null);
});

test('after a crash the runner continues the homes that it had, not those that are over', async () => {
  const before = stage();
  await before.homes.adopt(OFFER);
  await before.child(1);
  const after = stage({ home: before.home });
  await after.homes.resume();
  const again = await after.child(1);
  assert.equal(after.tokens, [null]);
  again.sayOver();
  again.die(0);
  await quiet(() => after.homes.list().length === 0);
  const last = stage({ home: before.home });
  await last.homes.resume();
  assert.equal(last.homes.list(), []);
});

test('a plain stop keeps the home for the next start; one that hands over gives it up', async () => {
  for (const handsOver of [false, true]) {
    const { homes, child, home } = stage();
    await homes.adopt(OFFER);
    const first = await child(1);
    await homes.close(handsOver);
    assert.equal(first.said.at(-1), {
      type: 'release',
      ...(handsOver ? { handOver: true } : {}),
    });
    assert.is((await listAdoptions(home))[0]?.endedAt === null, !handsOver);
    assert.is((await homes.adopt(OFFER)).ok, false, 'it is stopping');
  }
});

test('the same offer again brings a new token to a process that starts again', async () => {
  const { homes, child, tokens, clock } = stage();
  await homes.adopt(OFFER);
  const first = await child(1);
  assert.equal(await homes.adopt({ ...OFFER, token: 'svcr_second' }), { ok: true });
  assert.equal(first.said.at(-1), { type: 'release' });
  await quiet(() => {
    clock.advance(1_000);
    return tokens.length === 4;
  });
  assert.equal(tokens, ['svcr_first', 'svcr_first', 'svcr_second', null]);
  assert.is(homes.list().length, 1);
  await homes.close(false);
});

test.run();
