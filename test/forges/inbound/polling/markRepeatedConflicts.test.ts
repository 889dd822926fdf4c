import { PrSight } from '../../../../src/forges/inbound/polling/prSight.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Submission } from '../../../../src/kernel/contract.ts';
import { silentLog } from '../../../../src/base/system/log/log.ts';
import { pollForge } from '../../../../src/forges/inbound/polling/pollForge.ts';
import { parseWakeRules } from '../../../../src/providers/rest/wakeRules.ts';
import { openStore } from '../../../../src/jobs/store/openStore.ts';
import { openPr } from '../../../support/forges/fakeGithub/pulls.ts';
import { GithubStage, REPO } from '../../../support/forges/githubStage.ts';
import { SimulatedClock } from '../../../support/charts/simulatedClock.ts';

const test = suite('runner: conflicts of pull requests');

const MINUTE = 60_000;
const MINE = { 'feature.txt': 'mine\n' };
const THEIRS = { 'feature.txt': 'theirs\n' };

/** A job with an open pull request, a store, and a runner that can be restarted. */
async function world(
  run: (it: {
    move(files: Record<string, string>): Promise<number>;
    restart(): void;
    push(): void;
  }) => Promise<void>,
) {
  const clock = new SimulatedClock();
  const stage = await GithubStage.open(clock);
  const store = openStore({ file: ':memory:', pid: 1, now: clock.now() });
  const generation = store.durable.claim();
  const write = (rows: NonNullable<Submission['rows']>) =>
    store.durable.commit({
      generation,
      actors: [],
      journal: [],
      outboxPut: [],
      outboxDone: [],
      timersSet: [],
      timersDrop: [],
      inbox: [],
      mailPut: [],
      mailDone: [],
      frames: [],
      rows,
    });
  const { github, repo } = stage;
  github.state.commit(repo, 'feature', MINE);
  openPr(github.state, repo, {
    title: 'A',
    body: '',
    head: 'feature',
    base: 'main',
    author: 'svc-robot',
  });
  const mapping = {
    forge: 'github',
    repo: REPO,
    number: 1,
    job_id: 'job',
    pr_id: `github:${REPO}#1`,
    title: 'A',
    head: 'feature',
  };
  await write([
    {
      op: 'put',
      table: 'pr_mappings',
      row: { ...mapping, base: 'main', url: '', state: 'open', work_item: null, merged_at: null },
    },
  ]);
  const reported = new Set<string>();
  const kernel = {
    async submit({ sends = [], rows = [] }: Submission) {
      // As the kernel does it: each external id once.
      for (const { externalId } of sends) reported.add(String(externalId));
      await write(rows);
      return { started: [], sends: [] };
    },
  };
  let forge = stage.forge;
  const poll = async () => {
    clock.advance(MINUTE);
    await pollForge(
      {
        kernel,
        rows: store.rows,
        sight: new PrSight({ rows: store.rows, prs: store.prs }),
        listWatched: (id) => store.rows.all('pr_mappings', { forge: id }),
        log: silentLog,
        awaits: () => false,
        place: () => ({ phase: 'coding', visit: 1 }),
        now: () => clock.now(),
      },
      forge,
      parseWakeRules('', ''),
    );
  };
  try {
    await run({
      /** Commits to the base, polls, and answers how many conflicts have been reported so far. */
      async move(files) {
        github.state.commit(repo, 'main', files);
        await poll();
        return reported.size;
      },
      restart: () => {
        forge = stage.makeForge();
      },
      push: () => void github.state.commit(repo, 'feature', { 'other.txt': `${reported.size}\n` }),
    });
  } finally {
    store.close();
    await stage.end();
  }
}

test('a lasting conflict is reported once, however often the base moves and the runner restarts', () =>
  world(async ({ move, restart }) => {
    assert.is(await move({ 'README.md': 'a\n' }), 0);
    assert.is(await move(THEIRS), 1);
    assert.is(await move({ 'README.md': 'b\n' }), 1);
    restart();
    assert.is(await move({ 'README.md': 'c\n' }), 1);
  }));

test('one that went away because the base moved, and came back, is new', () =>
  world(async ({ move, restart }) => {
    assert.is(await move(THEIRS), 1);
    assert.is(await move(MINE), 1);
    restart();
    assert.is(await move(THEIRS), 2);
    assert.is(await move({ 'README.md': 'b\n' }), 2);
    assert.is(await move(MINE), 2);
    assert.is(await move({ 'feature.txt': 'others\n' }), 3);
  }));

test('another conflicting commit of the branch is reported separately', () =>
  world(async ({ move, push }) => {
    assert.is(await move(THEIRS), 1);
    push();
    assert.is(await move({ 'README.md': 'b\n' }), 2);
  }));

test.run();
