import { suite } from 'uvu';
import { openMr } from '../../support/forges/fakeGitlab/mergeRequests.ts';
import { openPr } from '../../support/forges/fakeGithub/pulls.ts';
import { BitbucketStage, REPO as BITBUCKET_REPO } from '../../support/forges/bitbucketStage.ts';
import { GithubStage, REPO as GITHUB_REPO, TOKEN } from '../../support/forges/githubStage.ts';
import {
  GitlabStage,
  REPO as GITLAB_REPO,
  TOKEN as GITLAB_TOKEN,
} from '../../support/forges/gitlabStage.ts';
import { ownDecisionContract } from '../../support/forges/ownDecisionContract.ts';

const FEATURE = { 'feature.txt': 'new\n' };

const github = suite('contract github: an account that a person uses too');
for (const decision of ['approve', 'request_changes'] as const) {
  ownDecisionContract(github, decision, async (clock) => {
    const stage = await GithubStage.open(clock);
    stage.github.state.commit(stage.repo, 'feature', FEATURE);
    const pr = { title: 'A', body: '', head: 'feature', base: 'main', author: 'ann' };
    openPr(stage.github.state, stage.repo, pr);
    return {
      forge: stage.makeForge({ selfIsPerson: true }),
      repo: GITHUB_REPO,
      decideByHand: async () =>
        void (await stage.as(TOKEN, 'POST', `/repos/${GITHUB_REPO}/pulls/1/reviews`, {
          event: decision === 'approve' ? 'APPROVE' : 'REQUEST_CHANGES',
          body: 'By hand.',
        })),
      end: () => stage.end(),
    };
  });
}
github.run();

const gitlab = suite('contract gitlab: an account that a person uses too');
ownDecisionContract(gitlab, 'approve', async (clock) => {
  const stage = await GitlabStage.open(clock);
  const { state } = stage.server;
  state.commit(stage.project, 'feature', FEATURE);
  const mr = { title: 'A', description: '', source: 'feature', target: 'main', author: 'ann' };
  openMr(state, stage.project, mr);
  const path = `/projects/${encodeURIComponent(GITLAB_REPO)}/merge_requests/1`;
  return {
    forge: stage.makeForge({ selfIsPerson: true }),
    repo: GITLAB_REPO,
    async decideByHand() {
      await stage.as(GITLAB_TOKEN, 'POST', `${path}/unapprove`);
      await stage.as(GITLAB_TOKEN, 'POST', `${path}/approve`, {});
    },
    end: () => stage.end(),
  };
});
gitlab.run();

const bitbucket = suite('contract bitbucket: an account that a person uses too');
for (const decision of ['approve', 'request_changes'] as const) {
  ownDecisionContract(bitbucket, decision, async (clock) => {
    const stage = await BitbucketStage.open(clock);
    const { state } = stage.bitbucket;
    const pr = stage.opened('ann');
    return {
      forge: stage.makeForge({ selfIsPerson: true }),
      repo: BITBUCKET_REPO,
      decideByHand: async () =>
        state.review(pr, 'svc-robot', decision === 'approve' ? 'approved' : 'changes_requested'),
      end: () => stage.end(),
    };
  });
}
bitbucket.run();
