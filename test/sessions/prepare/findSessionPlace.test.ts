import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ErrorCode, SvcError } from '../../../src/base/errors/errors.ts';
import { createForges } from '../../../src/providers/forges.ts';
import { createLocalForge } from '../../../src/providers/local/forge.ts';
import { JobOverlays } from '../../../src/jobs/workspace/jobOverlays.ts';
import { WORK_MARK } from '../../../src/jobs/workspace/workInProgress.ts';
import { createWorkplace } from '../../../src/jobs/workspace/workplace.ts';
import { findSessionPlace, makeWorkplace } from '../../../src/sessions/prepare/makeWorkplace.ts';
import { refuseLacks, toSessionFault } from '../../../src/sessions/open/hindrance.ts';
import type { JournalRow } from '../../../src/kernel/writer.ts';
import { ForgeRows } from '../../support/forges/forgeRows.ts';
import { git, makeGitRepository } from '../../support/gitRepository.ts';
import { folderWith } from '../../support/intelligenceFolder.ts';
import { catchRefusal } from '../../support/refusal.ts';
import { rowsInMemory } from '../../support/rowsInMemory.ts';
import { noOverlayGates } from '../../support/standIns/noOverlayGates.ts';

const test = suite('what a session finds on its disk');

const JOB = 'job-1';
const VISIT = { jobId: JOB, visit: 1 };
const LAYER = {
  'workflows/w.md': `---
initial_phase: work
phases:
  - { name: work, agent: agents/a.md, status: working }
---
Text.
`,
  'agents/a.md': '---\ndescription: d\n---\nWork.\n',
};

/** A machine with nothing of the job on it, beside the repository at its forge. */
async function machine(options: { isFromElsewhere: boolean; lostWork?: 'continue' | 'ask' }) {
  const repository = makeGitRepository({ bare: true });
  repository.commit({ 'a.txt': 'pushed' }, { branch: 'fix' });
  const { rows, writeRows } = rowsInMemory();
  const workingDir = folderWith({});
  let isForgeAway = false;
  const forge = createLocalForge({
    mayAct: mayAlwaysAct,
    repos: { shop: { path: repository.path, defaultBranch: null } },
    rows: new ForgeRows(),
    webUrl: () => '',
  });
  const workplace = createWorkplace({
    settings: {
      paths: { workingDir, stateDb: '', tokenFile: '', blobs: '', intelligenceDir: '' },
      baseIntelligence: folderWith(LAYER),
      tenant: { id: 't', displayName: 'T', overlay: { kind: 'none' } },
      llm: { defaultProvider: 'command', aliases: {} },
      cloud: { lostWork: options.lostWork ?? 'continue' },
    },
    hostEnv: {},
    binDir: '/nowhere',
    isFromElsewhere: () => options.isFromElsewhere,
    ...noOverlayGates,
    forges: createForges([
      {
        ...forge,
        source: async (slug, { fresh }) => {
          if (fresh && isForgeAway) throw new Error('the forge was asked');
          return forge.source(slug, { fresh });
        },
      },
    ]),
  });
  const journal: JournalRow[] = [
    {
      actor: JOB,
      seq: 1,
      at: 0,
      event: { type: 'phase.prepared' },
      path: ['working.inSession'],
      effects: [],
      note: false,
    },
  ];
  const deps = {
    workplace,
    checkouts: { forgetSetup: async () => {} },
    rows,
    overlays: new JobOverlays(),
    blobs: { path: () => '', bring: async () => {} },
    journal: () => journal,
  };
  const checkout = join(workingDir, JOB, 'shop');
  const createSessionPlace = (recorded: string) => ({
    jobId: JOB,
    workflowPath: 'workflows/w.md',
    phase: 'work',
    params: { repoSlug: 'shop', repoCheckoutDir: 'shop', repoCheckoutAbsDir: recorded },
    checkout,
  });
  return {
    repository,
    workingDir,
    checkout,
    workplace,
    writeRows,
    files: join(workingDir, JOB, '_intelligence/agents/a.md'),
    letForgeGoAway: () => {
      isForgeAway = true;
    },
    find: (recorded = '/other/work/job-1/shop') =>
      findSessionPlace(deps, VISIT, createSessionPlace(recorded)),
    prepare: () => makeWorkplace(deps, createSessionPlace('/other/work/job-1/shop')),
    restart: () => deps.overlays.forget(JOB),
  };
}

test('on another machine checkout and overlay are made again, and the log says what is not here', async () => {
  const { find, checkout, files, workplace } = await machine({ isFromElsewhere: true });
  const { resolved, notes } = await find();
  assert.ok(existsSync(join(checkout, '.git')));
  assert.ok(existsSync(files));
  assert.ok(resolved.overlay.workflow('workflows/w.md').table);
  assert.match(notes.join(), 'commits that were not pushed');
  assert.ok(workplace.hasLostWork(JOB), 'the kickoff says it too');
  await workplace.forgetLostWork(JOB);
  assert.is(workplace.hasLostWork(JOB), false);
  assert.equal((await find()).notes, [], 'the second time it is all here');
});

test('the clone begins at the branch of an open pull request of the job, else at the base', async () => {
  for (const state of ['open', 'merged'] as const) {
    const { find, checkout, repository, writeRows } = await machine({ isFromElsewhere: true });
    const row = {
      forge: 'local',
      repo: 'shop',
      number: 1,
      job_id: JOB,
      pr_id: 'local:shop#1',
      title: 'Fix',
      head: 'fix',
      base: 'main',
      url: '',
      state,
      work_item: null,
      merged_at: null,
      problem: null,
    };
    await writeRows([{ op: 'put', table: 'pr_mappings', row }]);
    const { notes } = await find();
    const branch = state === 'open' ? 'fix' : 'main';
    assert.is(git(checkout, ['branch', '--show-current']), branch);
    assert.is(git(checkout, ['rev-parse', 'refs/svc/base']), repository.head('main'));
    assert.is(notes.join().includes('begins at the branch fix'), state === 'open');
  }
});

test('the clone begins with the work in progress of the lost machine where that is newer', async () => {
  const { find, checkout, repository, workingDir } = await machine({ isFromElsewhere: true });
  const message = 'Work\n\nBranch: topic\n';
  const tree = repository.git('rev-parse', 'fix^{tree}');
  const commit = repository.git('commit-tree', tree, '-p', 'main', '-m', message);
  repository.git('update-ref', `refs/svc/wip/${JOB}`, commit);
  const { notes } = await find();
  assert.is(git(checkout, ['branch', '--show-current']), 'topic');
  assert.is(git(checkout, ['status', '--porcelain']), '?? a.txt');
  assert.match(notes.join(), 'its files as they were at the end of an earlier session');
  const mark = join(workingDir, JOB, WORK_MARK);
  assert.ok(existsSync(mark), 'this machine removes the ref when the job has ended');
});

test('with lostWork ask the session ends with an error that parks the job', async () => {
  const { find, checkout } = await machine({ isFromElsewhere: true, lostWork: 'ask' });
  const { code, message } = await catchRefusal(() => find());
  assert.is(code, 'conflict');
  assert.match(message, 'cloud.lostWork');
  assert.is(existsSync(checkout), false);
});

test('a checkout that this machine made and lost is for a person, also where the home was taken over', async () => {
  for (const isFromElsewhere of [true, false]) {
    const { find, prepare, checkout, restart } = await machine({ isFromElsewhere });
    if (isFromElsewhere) await prepare();
    rmSync(checkout, { recursive: true, force: true });
    restart();
    assert.is((await catchRefusal(() => find())).code, 'conflict');
  }
});

test('after a restart the overlay is written again, and a checkout that exists needs no forge', async () => {
  const { find, prepare, files, letForgeGoAway, restart } = await machine({
    isFromElsewhere: true,
  });
  await prepare();
  rmSync(files);
  letForgeGoAway();
  restart();
  assert.equal((await find()).notes, []);
  assert.ok(existsSync(files));
});

test('what a machine lacks lets the job wait and try again; what passes or is lost does not count as that', async () => {
  const faultFor = (code: ErrorCode) =>
    refuseLacks(() => Promise.reject(new SvcError(code, 'no'))).catch(toSessionFault);
  assert.is(await faultFor('not-found'), 'not-here');
  assert.is(await faultFor('cannot-run'), 'not-here');
  assert.is(await faultFor('unreachable'), 'unreachable');
  assert.is(await faultFor('conflict'), 'unknown');
});

test.run();
