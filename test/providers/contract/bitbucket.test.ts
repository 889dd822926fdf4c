import { BitbucketStage, REPO } from '../../support/forges/bitbucketStage.ts';
import { forgeContract } from '../../support/forges/forgeContract.ts';

forgeContract('bitbucket', async () => {
  const stage = await BitbucketStage.open();
  const { state } = stage.bitbucket;
  return {
    forge: stage.forge,
    repo: REPO,
    // Bitbucket keeps everything itself.
    commit: () => {},
    comment: async (number, body) => void state.say(state.pr(REPO, number), 'ann', body),
    approve: async (number) => state.review(state.pr(REPO, number), 'ann', 'approved'),
    commitToMain: (files) => void state.commit(stage.repo, 'main', files),
    end: () => stage.end(),
  };
});
