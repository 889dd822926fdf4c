import Type from 'typebox';
import { sha256 } from '../../../base/system/ids/ids.ts';
import { proposalTools } from './proposals.ts';
import {
  ADDS,
  defineTool,
  createInputSchema,
  READS,
  type Tool,
  type ToolAnswer,
  ToolRefusal,
  createTextField,
} from '../tool.ts';

const MAX_INSIGHT_CHARS = 4_000;
/** Longest part of a memory file in one answer, characters. */
const MAX_MEMORY_CHARS = 32_768;
/** Most insights in the list, newest first. */
const MAX_LISTED_INSIGHTS = 50;

const addInsight = defineTool({
  name: 'add_insight',
  title: 'Add an insight',
  description:
    'Saves something learned for the later phases of this job: a convention, a pitfall, a decision and its reason. ' +
    'Category contract-drift says that a contract file no longer matches the code.',
  input: createInputSchema({
    category: Type.String({
      pattern: '^[a-z0-9-]{1,64}$',
      description: 'Such as convention, pitfall, decision, contract-drift.',
    }),
    text: createTextField('The insight, understandable without this session.', MAX_INSIGHT_CHARS),
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
    "Reads a memory file of the job's overlay. Without a path it returns the list of files and the newest 50 insights of this job. " +
    'With a path: at most 32,768 characters of it, the parts of all layers after each other; while nextOffset is not null there is more: call again with it as offset.',
  input: createInputSchema({
    path: Type.Optional(
      createTextField('Path of the file as listed, e.g. memory/build.md or CLAUDE.md.', 256),
    ),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Where to begin, in characters: nextOffset of the answer before; default 0.',
      }),
    ),
  }),
  hints: READS,
  async run({ path, offset }, { port }) {
    if (path === undefined && offset !== undefined)
      throw new ToolRefusal('read_memory: offset is for reading one file: give its path too.');
    const memory = await port.memory(path ?? null);
    if ('text' in memory) return cutMemoryPart(memory, offset ?? 0);
    const insights = port
      .insights()
      .slice(-MAX_LISTED_INSIGHTS)
      .map(({ id, category, text: insight }) => ({ id, category, text: insight }));
    const lines = [
      memory.files.length > 0 ? `Files: ${memory.files.join(', ')}` : 'There are no memory files.',
      ...insights.map((insight) => `[${insight.category}] ${insight.text}`),
    ];
    return { text: lines.join('\n'), data: { files: memory.files, insights } };
  },
});

/** Prevents a cut between the two halves of a surrogate pair. */
const HALF = /[\ud800-\udbff]$/;

function cutMemoryPart(
  { path, text: whole }: { path: string; text: string },
  offset: number,
): ToolAnswer {
  const part = whole.slice(offset, offset + MAX_MEMORY_CHARS);
  const end = offset + part.length;
  const excerpt = end < whole.length ? part.replace(HALF, '') : part;
  const next = offset + excerpt.length;
  const nextOffset = next < whole.length ? next : null;
  const more =
    nextOffset === null ? '' : `\n\n[There is more: call again with offset ${nextOffset}.]`;
  return { text: `${excerpt}${more}`, data: { path, text: excerpt, nextOffset } };
}

export const selfImprovementTools: readonly Tool[] = [addInsight, readMemory, ...proposalTools];
