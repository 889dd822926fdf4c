import { renderAgentConduct } from '../process/renderAgentConduct.ts';

/** What only an agent in this program has to know. */
const OF_THIS_PROGRAM = [
  '- Several calls in one answer are carried out in sequence, in their order.',
  '- Where an old answer of a tool was folded, call the tool again if you need it.',
].join('\n');

/** The whole system prompt: manners, the phase's prompt, then what people wrote for agents. */
export const buildAgentSystemPrompt = ({
  cwd,
  phase,
  memory,
}: {
  cwd: string;
  phase: string;
  memory: string;
}): string =>
  [
    `${renderAgentConduct(cwd)}\n${OF_THIS_PROGRAM}`,
    phase,
    ...(memory === '' ? [] : [`# Memory\n\nWhat people wrote for agents.\n\n${memory}`]),
  ].join('\n\n');
