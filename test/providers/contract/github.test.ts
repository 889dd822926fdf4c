import { GithubStage, REPO } from '../../support/forges/githubStage.ts';
import { forgeContract } from '../../support/forges/forgeContract.ts';

forgeContract('github', async () => {
  const stage = await GithubStage.open();
  const { github } = stage;
  return {
    forge: stage.forge,
    repo: REPO,
    // GitHub keeps everything itself.
    commit: () => {},
    comment: async (number, body) =>
      void (await stage.as('ann-token', 'POST', `/repos/${REPO}/issues/${number}/comments`, {
        body,
      })),
    approve: async (number) =>
      void (await stage.as('ann-token', 'POST', `/repos/${REPO}/pulls/${number}/reviews`, {
        event: 'APPROVE',
      })),
    commitToMain: (files) => void github.state.commit(stage.repo, 'main', files),
    end: () => stage.end(),
  };
});
