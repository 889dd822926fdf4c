import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { createLocalForge } from '../../../src/providers/local/forge.ts';
import { ForgeRows } from '../../support/forges/forgeRows.ts';
import { makeGitRepository } from '../../support/gitRepository.ts';
import { forgeContract } from '../../support/forges/forgeContract.ts';

forgeContract('local', async () => {
  const repository = makeGitRepository({ bare: true });
  const rows = new ForgeRows();
  const forge = createLocalForge({
    mayAct: mayAlwaysAct,
    repos: { shop: { path: repository.path, defaultBranch: null } },
    rows,
    webUrl: (repo, number) => `http://127.0.0.1:4400/${repo}/${number}`,
  });
  let serial = 0;
  const ann = () => ({ author: 'ann', at: Date.now(), operationId: `ann-${++serial}` });
  return {
    forge,
    repo: 'shop',
    commit: (change) => rows.commit(change),
    comment: async (number, body) =>
      rows.commit(await forge.write('post_pr_comment', { repo: 'shop', number, body }, ann())),
    approve: async (number) =>
      rows.commit(await forge.write('approve_pr', { repo: 'shop', number }, ann())),
    commitToMain: (files) => void repository.commit(files),
    end: async () => repository.remove(),
  };
});
