import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ActionsDouble, type RunOf } from '../../support/actionsDouble.ts';

const ACTION = readFileSync(join(import.meta.dirname, '../../../action.yml'), 'utf8');
const MAIN = 'refs/heads/main';
const MARKED = { number: 7, body: `Fixes it.\n\n<!-- svc:op=${'a'.repeat(24)} -->` };

const DISPATCH: RunOf = { ref: MAIN, inputs: { description: 'Fix it' } };
const REVIEW: RunOf = { ref: 'refs/pull/7/merge', pullRequest: MARKED };
const MERGE: RunOf = { ref: MAIN, pullRequest: MARKED, exitCode: 0 };

const test = suite<{ github: ActionsDouble }>('svc run: the GitHub action keeps jobs');

test.before.each(async (context) => {
  context.github = await ActionsDouble.open(ACTION);
});
test.after.each(({ github }) => github.close());

test('a merge continues the job from after its reviews, whatever ref each event runs on', async ({
  github,
}) => {
  const rounds = [];
  for (const event of [DISPATCH, REVIEW, REVIEW, MERGE])
    rounds.push((await github.run(event)).continued);
  assert.equal(rounds, [0, 1, 2, 3]);
});

test('a pull request of a job without its artifact is an error annotation', async ({ github }) => {
  const { failed, log, continued } = await github.run(REVIEW);
  assert.match(
    log,
    /^::error title=svc run::Pull request 7 is of a job of svc, and no artifact svc-run-7 exists/m,
  );
  assert.equal({ failed, continued }, { failed: true, continued: null });
});

test('a pull request that svc has not opened is nothing to do', async ({ github }) => {
  const { failed, log, continued } = await github.run({
    ...REVIEW,
    pullRequest: { number: 7, body: 'By hand' },
  });
  assert.match(log, /^::notice /m);
  assert.equal({ failed, continued }, { failed: false, continued: null });
});

test('an artifact that has expired is named with its run', async ({ github }) => {
  await github.run(DISPATCH);
  for (const artifact of github.artifacts) artifact.expired = true;
  const { failed, log } = await github.run(REVIEW);
  assert.ok(failed);
  assert.match(log, /^::error .*kept by run 100 until .* its artifact has expired/m);
});

test('an artifact that a fork has made is not continued', async ({ github }) => {
  await github.run(DISPATCH);
  github.addForged('svc-run-7');
  assert.is((await github.run(REVIEW)).continued, 1);
});

test('a pull request from a fork continues nothing', async ({ github }) => {
  await github.run(DISPATCH);
  const { failed, continued } = await github.run({
    ...REVIEW,
    pullRequest: { ...MARKED, fromFork: true },
  });
  assert.equal({ failed, continued }, { failed: false, continued: null });
});

test('a public repository without a key is refused before anything runs', async ({ github }) => {
  github.isPrivate = false;
  const { failed, log, continued } = await github.run(DISPATCH);
  assert.equal({ failed, continued }, { failed: true, continued: null });
  assert.match(log, /^::error .*Set SVC_BUNDLE_KEY/m);
});

test('a public repository with a key keeps the job', async ({ github }) => {
  github.isPrivate = false;
  const env = { SVC_BUNDLE_KEY: 'k'.repeat(32) };
  await github.run({ ...DISPATCH, env });
  assert.is((await github.run({ ...REVIEW, env })).continued, 1);
});

test('of two runs that continue one job at once, the work of neither is lost', async ({
  github,
}) => {
  await github.run(DISPATCH);
  const { log } = await github.run({
    ...REVIEW,
    async meanwhile() {
      await github.run(REVIEW);
    },
  });
  assert.match(log, /^::error .*Two runs have continued the job of pull request 7 at once/m);
  assert.equal(
    github.artifacts.map(({ name }) => name),
    ['svc-run-7', 'svc-run-7', 'svc-run-7-of-101'],
  );
  assert.is((await github.run(MERGE)).continued, 2);
});

test.run();
