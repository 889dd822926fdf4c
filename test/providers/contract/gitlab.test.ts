import { forgeContract } from '../../support/forges/forgeContract.ts';
import { GitlabStage, REPO } from '../../support/forges/gitlabStage.ts';

forgeContract('gitlab', async () => {
  const stage = await GitlabStage.open();
  return {
    forge: stage.forge,
    repo: REPO,
    // GitLab keeps everything itself.
    commit: () => {},
    comment: async (number, body) =>
      void (await stage.asAnn('POST', `/merge_requests/${number}/notes`, { body })),
    approve: async (number) =>
      void (await stage.asAnn('POST', `/merge_requests/${number}/approve`)),
    commitToMain: (files) => void stage.server.state.commit(stage.project, 'main', files),
    end: () => stage.end(),
  };
});
