import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NewsBatch } from '../../../src/contract/forge/forge.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';
import { BitbucketStage, REPO as BITBUCKET_REPO } from '../../support/forges/bitbucketStage.ts';
import { changedAnswers } from '../../support/forges/changedAnswers.ts';
import { openPr } from '../../support/forges/fakeGithub/pulls.ts';
import { note, openMr } from '../../support/forges/fakeGitlab/mergeRequests.ts';
import { GithubStage, REPO as GITHUB_REPO } from '../../support/forges/githubStage.ts';
import { GitlabStage, REPO as GITLAB_REPO } from '../../support/forges/gitlabStage.ts';

const test = suite('what not everything can come from');

const PR = { title: 'A', body: '', head: 'feature', base: 'main', author: 'svc-robot' };
const FILES = { 'feature.txt': 'new\n' };

const hindrance = ({ hindered = [], seen = [] }: NewsBatch) => ({
  hindered: hindered.map(({ why, asks }) => `${asks ? 'asks' : 'tells'}: ${why}`),
  seen: seen.length,
});
const FREE = { hindered: [], seen: 1 };

const github = (run: (stage: GithubStage) => Promise<void>) => async () => {
  const stage = await GithubStage.open(new SimulatedClock());
  stage.github.state.commit(stage.repo, 'feature', FILES);
  openPr(stage.github.state, stage.repo, PR);
  try {
    await run(stage);
  } finally {
    await stage.end();
  }
};

test(
  'GitHub: a lock, an archived repository and a branch that is gone are said in every poll until they are over',
  github(async ({ github: { state }, repo, forge }) => {
    const poll = async () => {
      const batch = await forge.news([{ repo: GITHUB_REPO, number: 1 }]);
      batch.confirmStored();
      return hindrance(batch);
    };
    const [pr] = repo.prs;
    assert.ok(pr);
    assert.equal(await poll(), FREE);
    pr.locked = true;
    const locked = 'its conversation is locked: only people with write access can comment';
    assert.equal(await poll(), { hindered: [`tells: ${locked}`], seen: 0 });
    assert.equal(await poll(), { hindered: [`tells: ${locked}`], seen: 0 });
    repo.archived = true;
    const archived =
      'its repository is archived, which makes it read-only: a person must unarchive it';
    assert.equal(await poll(), { hindered: [`asks: ${archived}; ${locked}`], seen: 0 });
    pr.locked = false;
    repo.archived = false;
    assert.equal(await poll(), FREE);
    state.git('--git-dir', repo.gitDir, 'update-ref', '-d', 'refs/heads/feature');
    const reason = 'its branch feature no longer exists: it was deleted or renamed';
    assert.equal(await poll(), { hindered: [`asks: ${reason}`], seen: 0 });
  }),
);

test(
  'GitHub: a comment that cannot be read is left out, and the others of its pull request are reported',
  github(async (stage) => {
    const { state } = stage.github;
    const at = { at: 0, visibleAt: 0, association: 'MEMBER' };
    for (const body of ['First.', 'Broken.', 'Last.'])
      stage.repo.prs[0]?.comments.push({ id: state.id(), author: 'ann', body, ...at });
    const fetch = changedAnswers(({ variables }, body) => {
      const nodes = Object(body).data?.repository?.pullRequest?.comments?.nodes;
      if (variables.number !== 1 || !Array.isArray(nodes)) return undefined;
      nodes[1].body = 7;
      return body;
    });
    const batch = await stage.makeForge({ fetch }).news([{ repo: GITHUB_REPO, number: 1 }]);
    assert.equal(
      batch.news.map(({ event }) => event.text),
      ['First.', 'Last.'],
    );
    const why =
      'one of its parts cannot be read and is left out: the body of a comment is not a string';
    assert.equal(hindrance(batch), { hindered: [`tells: ${why}`], seen: 0 });
  }),
);

test('GitLab: a lock, an archived project, and a note that cannot be read', async () => {
  const stage = await GitlabStage.open(new SimulatedClock());
  try {
    const { state } = stage.server;
    state.commit(stage.project, 'feature', FILES);
    const { head: source, base: target, title, author } = PR;
    const mr = openMr(state, stage.project, { title, description: '', source, target, author });
    for (const text of ['First.', 'Broken.', 'Last.']) note(state, mr, 'ann', text);
    const fetch = changedAnswers(({ path }, body) => {
      if (/\/discussions/.test(path) && Array.isArray(body)) body[1].notes[0].body = null;
      else if (/\/projects\/[^/]+$/.test(path)) Object(body).archived = true;
      else if (/\/merge_requests\/1$/.test(path)) {
        Object(body).discussion_locked = true;
        Object(body).detailed_merge_status = 'commits_status';
      } else return undefined;
      return body;
    });
    const batch = await stage.makeForge({ fetch }).news([{ repo: GITLAB_REPO, number: 1 }]);
    assert.equal(
      batch.news.map(({ event }) => event.text),
      ['First.', 'Last.'],
    );
    const {
      hindered: [why = ''],
    } = hindrance(batch);
    assert.match(why, /^asks: its repository is archived.*conversation is locked/);
    assert.match(why, 'its branch feature or main no longer exists');
    assert.match(why, 'the body of a note is not a string');
  } finally {
    await stage.end();
  }
});

test('Bitbucket: a branch that is gone', async () => {
  const stage = await BitbucketStage.open(new SimulatedClock());
  try {
    stage.opened();
    const fetch = changedAnswers(({ path }, body) => {
      if (!/\/pullrequests\/1(\?|$)/.test(path)) return undefined;
      Object(body).source.commit = null;
      return body;
    });
    const batch = await stage.makeForge({ fetch }).news([{ repo: BITBUCKET_REPO, number: 1 }]);
    assert.equal(hindrance(batch), {
      hindered: ['asks: its branch feature no longer exists: it was deleted or renamed'],
      seen: 0,
    });
  } finally {
    await stage.end();
  }
});

test.run();
