import Type from 'typebox';
import { writeToForge, resolveCallRepo } from './writeToForge.ts';
import { defineTool, createInputSchema, READS, SETS, type Tool, createTextField } from '../tool.ts';

const cloneRepo = defineTool({
  name: 'scm_clone_repo',
  title: "Clone the job's repository",
  description:
    "Creates the checkout of the job's repository (params.repoSlug), or finds the existing one; your work in it is kept. " +
    'Sets the parameters repoCheckoutDir and repoCheckoutAbsDir.',
  input: createInputSchema({}),
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
  description:
    "Merges an open pull request of this job at the job's own provider: the newest commit, once someone other than svc has approved it and its required checks are green. This cannot be undone.",
  onlyListed: true,
  input: createInputSchema({
    number: Type.Integer({
      minimum: 1,
      description: 'Number of the pull request in its repository.',
    }),
  }),
  hints: { ...SETS, destructiveHint: true, openWorldHint: true },
  run: ({ number }, call) =>
    writeToForge(call, undefined, 'merge_pr', { repo: resolveCallRepo(call, undefined), number }),
});

const ref = Type.Optional(
  createTextField("Branch or full sha; default: the repository's default branch.", 200),
);
const createPathField = (what: string) =>
  Type.Optional(createTextField(`${what}, from the root of the repository.`, 1_000));

const readFile = defineTool({
  name: 'scm_read_file',
  title: "Read a file of the job's repository",
  description:
    'Returns the text of a file as it is committed at the forge; your checkout is not read. At most 256 KiB; `cut` reports that there is more.',
  input: createInputSchema({
    path: createTextField('The file, from the root of the repository.', 1_000),
    ref,
  }),
  hints: READS,
  async run(args, call) {
    const data = await call.port.repoRead('read_file', { ref: '', ...args });
    return { text: String(data.text), data };
  },
});

const listFiles = defineTool({
  name: 'scm_list_files',
  title: "List the files of the job's repository",
  description:
    'Returns the files that are committed at the forge, at most 2,000; `cut` reports that there are more: name a folder.',
  input: createInputSchema({ path: createPathField('Folder'), ref }),
  hints: READS,
  async run(args, call) {
    const data = await call.port.repoRead('list_files', { ref: '', path: '', ...args });
    return { text: JSON.stringify(data, null, 1), data };
  },
});

const searchCode = defineTool({
  name: 'scm_search_code',
  title: "Search the code of the job's repository",
  description:
    'Returns the lines that contain a text, as committed at the forge, at most 200; `cut` reports that there are more.',
  input: createInputSchema({
    text: createTextField('Text to search for, taken literally; not a pattern.', 200),
    path: createPathField('Folder or file'),
    ref,
  }),
  hints: READS,
  async run(args, call) {
    const data = await call.port.repoRead('search_code', { ref: '', path: '', ...args });
    return { text: JSON.stringify(data, null, 1), data };
  },
});

/** The tools of the job's own provider, whichever it is (TOOL-6). */
export const scmTools: readonly Tool[] = [cloneRepo, mergePr, readFile, listFiles, searchCode];
