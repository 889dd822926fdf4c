import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomIds } from '../../../../src/base/system/ids/ids.ts';
import { Checkouts } from '../../../../src/jobs/workspace/checkouts/checkouts.ts';
import { PersonFiles } from '../../../../src/jobs/workspace/checkouts/personFiles.ts';
import { folderWith } from '../../../support/intelligenceFolder.ts';
import { rowsInMemory } from '../../../support/rowsInMemory.ts';

const test = suite('what makes checkouts ready');

/** Two ranges of ports, and a setup whose outcome the test decides. */
function stage(setup = '') {
  const home = folderWith({});
  const { rows, writeRows } = rowsInMemory();
  const ended = new Set<string>();
  const setUps: string[] = [];
  let problem: string | null = null;
  const settings = {
    home,
    checkout: {
      ports: { first: 2000, last: 2019, perCheckout: 10 },
      repositories: [{ repo: 'Shop', setup }],
    },
  };
  const checkouts = new Checkouts({
    settings,
    rows,
    writeRows,
    workplace: { jobDir: (jobId) => join(home, jobId) },
    hasEnded: (jobId) => ended.has(jobId),
    isPortInUse: async () => false,
    files: new PersonFiles({
      settings,
      secrets: { addFromFiles: () => {}, holdsOwn: () => false },
      createDraftName: randomIds.next,
    }),
    scripts: {
      makeHome: async (jobId) => void mkdirSync(join(home, jobId, 'home'), { recursive: true }),
      setUp: async ({ jobId }) => {
        setUps.push(jobId);
        return problem;
      },
      tearDown: async () => null,
    },
  });
  const signal = new AbortController().signal;
  const place = (jobId: string) => ({ jobId, slug: 'shop', absDir: home, layers: [] });
  return {
    checkouts,
    ended,
    setUps,
    settings,
    rows,
    place,
    fail: (why: string | null) => {
      problem = why;
    },
    /** As the commit of the preparation does. */
    async prepare(jobId: string) {
      const ready = await checkouts.prepare(place(jobId), { phase: 'work', visit: 1, signal });
      await writeRows(ready.rows);
      return ready;
    },
    choose: (jobId: string) => checkouts.prepare(place(jobId), { phase: 'work', visit: 1, signal }),
  };
}

test('a checkout keeps its ports, and no two that are made at once share one', async () => {
  const { checkouts, choose, prepare, rows } = stage();
  await Promise.all([choose('a'), choose('b')]);
  await Promise.all([prepare('a'), prepare('b')]);
  assert.equal(['a', 'b'].map((id) => checkouts.readVariables(id).SVC_PORT).sort(), [
    '2000',
    '2010',
  ]);
  const before = checkouts.readVariables('a');
  await prepare('a');
  assert.equal(checkouts.readVariables('a'), before);
  assert.is(before.SVC_PORT_COUNT, '10');
  assert.equal(
    rows
      .all('checkouts')
      .map(({ port }) => String(port))
      .sort(),
    ['2000', '2010'],
  );
});

test('without a free range a job waits for a person, until another has ended or is cleaned up', async () => {
  const { checkouts, prepare, ended } = stage();
  await prepare('a');
  await prepare('b');
  assert.match((await prepare('c')).problem ?? '', /^All 2 ranges/);
  const { SVC_PORT: port } = checkouts.readVariables('a');
  await checkouts.release('a');
  assert.is((await prepare('c')).problem, null);
  assert.is(checkouts.readVariables('c').SVC_PORT, port);

  ended.add('b');
  assert.is((await prepare('d')).problem, null);
  assert.equal(checkouts.readVariables('b'), { SVC_JOB_ID: 'b' });
});

test('programs in a checkout know their job', async () => {
  const { checkouts, prepare } = stage();
  await prepare('a');
  assert.is(checkouts.readVariables('a').SVC_JOB_ID, 'a');
});

test('a setup runs once for a clone and a text', async () => {
  const { checkouts, place, prepare, setUps, settings, fail } = stage('npm ci');
  assert.is(await checkouts.isReady(place('a')), false);
  fail('it failed');
  assert.is((await prepare('a')).problem, 'it failed');
  assert.is(await checkouts.isReady(place('a')), false);
  fail(null);
  await prepare('a');
  await prepare('a');
  assert.is(setUps.length, 2);
  assert.is(await checkouts.isReady(place('a')), true);

  settings.checkout.repositories = [{ repo: 'Shop', setup: 'npm install' }];
  assert.is(await checkouts.isReady(place('a')), false);
  await prepare('a');
  assert.is(setUps.length, 3);

  await checkouts.forgetSetup('a');
  assert.is(await checkouts.isReady(place('a')), false);
});

test.run();
