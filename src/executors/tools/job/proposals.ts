import Type from 'typebox';
import {
  MAX_PROPOSAL_DESCRIPTION,
  MAX_PROPOSAL_FILE_CHARS,
  MAX_PROPOSAL_FILES,
  PROPOSAL_KINDS,
  PROPOSAL_LAYERS,
  PROPOSAL_STATES,
} from '../../../base/agents/proposals.ts';
import { ADDS, defineTool, createInputSchema, READS, type Tool, createTextField } from '../tool.ts';

const ProposedText = Type.Union([Type.String({ maxLength: MAX_PROPOSAL_FILE_CHARS }), Type.Null()]);

const proposeChange = defineTool({
  name: 'propose_change',
  title: 'Propose a change',
  description:
    'Proposes a change of a workflow, an agent, a skill or the memory for later jobs. A person looks at it: nothing is live until they approve and apply it. ' +
    'Give each file whole, as it should be. A new proposal for the same files replaces your earlier one that no person has decided about.',
  input: createInputSchema({
    kind: Type.Enum([...PROPOSAL_KINDS], {
      description:
        'memory: memory/<name>.md, .claude/CLAUDE.md. skill: .claude/skills/<name>/<file>.md. agent: agents/<name>.md. workflow: workflows/<name>.md with the agents of its phases.',
    }),
    description: createTextField(
      'What is to become better and why, with what you have seen: a person decides by it.',
      MAX_PROPOSAL_DESCRIPTION,
    ),
    files: Type.Array(
      createInputSchema({
        path: createTextField(
          'Path in the layer, e.g. workflows/job.md; with .svc/ before it, in the repository of this job.',
          512,
        ),
        text: ProposedText,
      }),
      {
        minItems: 1,
        maxItems: MAX_PROPOSAL_FILES,
        description: 'Whole texts; null removes the file.',
      },
    ),
    targetLayer: Type.Optional(
      Type.Enum([...PROPOSAL_LAYERS], {
        description:
          'tenant: all jobs of the team. repo: jobs in the repository of this job, as a pull request. Default: by the paths.',
      }),
    ),
  }),
  hints: ADDS,
  async run({ targetLayer, ...draft }, { port, key }) {
    const proposal = await port.propose(
      { ...draft, ...(targetLayer === undefined ? {} : { targetLayer }) },
      key,
    );
    const { id, layer, paths, state } = proposal;
    return {
      text: `Proposal ${id} for the ${layer} layer is stored: ${paths.join(', ')}. Nothing of it is live; a person decides about it.`,
      data: { id, layer, paths, state },
    };
  },
});

const listProposals = defineTool({
  name: 'list_proposals',
  title: 'List proposals',
  description:
    'Lists the proposals of this job, and those of other jobs that no person has decided about, newest first, with why one was rejected. Look here before you propose the same again.',
  input: createInputSchema({
    state: Type.Optional(
      Type.Enum([...PROPOSAL_STATES], { description: 'Only proposals in this state.' }),
    ),
  }),
  hints: READS,
  untrusted: true,
  async run({ state }, { port }) {
    const proposals = port.listProposals(state ?? null);
    return {
      text:
        proposals.length === 0
          ? 'There are no proposals.'
          : `${proposals.length} proposals, newest first.`,
      data: {
        proposals: proposals.map((one) => ({
          id: one.id,
          state: one.state,
          kind: one.kind,
          layer: one.layer,
          paths: one.paths,
          description: one.description,
          ofThisJob: one.jobId === port.jobId,
          problem: one.problem,
          reason: one.reason,
        })),
      },
    };
  },
});

export const proposalTools: readonly Tool[] = [proposeChange, listProposals];
