import { forgeContract } from '../../support/forges/forgeContract.ts';
import { InstalledForgeStage } from '../../support/forges/installedForgeStage.ts';

const stage = await InstalledForgeStage.open();
let serial = 0;

forgeContract(
  'a forge of an installed plugin',
  async () => {
    serial += 1;
    const repo = `acme/shop${serial}`;
    const project = stage.server.state.addProject(repo, ['svc-robot', 'ann']);
    return {
      forge: await stage.forge(`shop${serial}`),
      repo,
      // The server keeps everything itself.
      commit: () => {},
      comment: (number, body) =>
        stage.asAnn(repo, 'POST', `/merge_requests/${number}/notes`, { body }),
      approve: (number) => stage.asAnn(repo, 'POST', `/merge_requests/${number}/approve`),
      commitToMain: (files) => void stage.server.state.commit(project, 'main', files),
      end: async () => {},
    };
  },
  () => stage.stop(),
);
