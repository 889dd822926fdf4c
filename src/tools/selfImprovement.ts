import Type from 'typebox';
import { sha256 } from '../lib/ids.ts';
import { proposalTools } from './proposals.ts';
import { ADDS, defineTool, fields, READS, type Tool, text } from './tool.ts';

const MAX_INSIGHT_CHARS = 4_000;

const addInsight = defineTool({
  name: 'add_insight',
  title: 'Add an insight',
  description:
    'Saves something learned for the later phases of this job: a convention, a pitfall, a decision and its reason. ' +
    'Category contract-drift says that a contract file no longer matches the code.',
  input: fields({
    category: Type.String({
      pattern: '^[a-z0-9-]{1,64}$',
      description: 'Such as convention, pitfall, decision, contract-drift.',
    }),
    text: text('The insight, understandable without this session.', MAX_INSIGHT_CHARS),
  }),
  hints: ADDS,
  async run({ category, text: insight }, call) {
    const id = sha256(`${call.port.jobId}/${call.key}`).slice(0, 16);
    const { duplicate } = await call.send({
      type: 'tool.add_insight',
      id,
      category,
      text: insight,
    });
    return { text: `Insight ${id} saved.`, data: { id, duplicate } };
  },
});

const readMemory = defineTool({
  name: 'read_memory',
  title: 'Read the memory',
  description:
    "Reads a memory file of the job's overlay. Without a path it returns the list of files and the insights of this job.",
  input: fields({
    path: Type.Optional(
      text('Path of the file as listed, e.g. memory/build.md or CLAUDE.md.', 256),
    ),
  }),
  hints: READS,
  async run({ path }, { port }) {
    const memory = await port.memory(path ?? null);
    if ('text' in memory) return { text: memory.text, data: { ...memory } };
    const insights = port
      .insights()
      .map(({ id, category, text: insight }) => ({ id, category, text: insight }));
    const lines = [
      memory.files.length > 0 ? `Files: ${memory.files.join(', ')}` : 'There are no memory files.',
      ...insights.map((insight) => `[${insight.category}] ${insight.text}`),
    ];
    return { text: lines.join('\n'), data: { files: memory.files, insights } };
  },
});

/** TOOL-3; `propose_change` and `list_proposals` are in `proposals.ts`. */
export const selfImprovementTools: readonly Tool[] = [addInsight, readMemory, ...proposalTools];
