import type { ListedTool, McpTools } from './answerMcp.ts';
import type { PhaseTools } from './phaseTools.ts';
import { ALIAS_META } from './structuredMeta.ts';
import type { Tool } from '../tool.ts';

const INSTRUCTIONS =
  'Tools of one phase of a job of the svc runner. When an answer says to end your turn, end it: what was asked for happens after the session.';

const toListedTool = (
  { name, title, description, input, hints }: Tool,
  alias: string | null,
): ListedTool => ({
  name,
  title,
  description,
  inputSchema: { ...input, type: 'object' },
  annotations: { title, ...hints },
  ...(alias === null ? {} : { _meta: { [ALIAS_META]: alias } }),
});

/** The tools of a phase as its tool server offers them. */
export const createPhaseMcp = (phase: PhaseTools): McpTools => ({
  instructions: INSTRUCTIONS,
  list: async (isProgram) =>
    (await phase.offered()).map((tool) =>
      toListedTool(tool, isProgram ? phase.alias(tool.name) : null),
    ),
  call: (name, args, gone) => phase.call(name, args, gone),
});
