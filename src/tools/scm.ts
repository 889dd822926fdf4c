import Type from 'typebox';
import { forgeAnswer, repoOf } from './forgeCalls.ts';
import { defineTool, fields, SETS, type Tool } from './tool.ts';

const cloneRepo = defineTool({
  name: 'scm_clone_repo',
  title: "Clone the job's repository",
  description:
    "Makes the checkout of the job's repository (params.repoSlug), or finds the one that is there; your work in it is kept. " +
    'Sets the parameters repoCheckoutDir and repoCheckoutAbsDir.',
  input: fields({}),
  hints: SETS,
  async run(_args, call) {
    const { dir, absDir } = await call.port.cloneRepo();
    await call.send({ type: 'tool.checkout', dir, absDir });
    return { text: `The checkout is ${absDir}`, data: { dir, absDir } };
  },
});

const mergePr = defineTool({
  name: 'scm_merge_pr',
  title: 'Merge a pull request',
  description: "Merges an open pull request of the job's repository at the job's own provider. This cannot be undone.",
  input: fields({ number: Type.Integer({ minimum: 1, description: 'Number of the pull request in its repository.' }) }),
  hints: { ...SETS, destructiveHint: true, openWorldHint: true },
  run: ({ number }, call) => forgeAnswer(call, undefined, 'merge_pr', { repo: repoOf(call, undefined), number }),
});

/** The tools of the job's own provider, whichever that is (TOOL-6). */
export const scmTools: readonly Tool[] = [cloneRepo, mergePr];
