/** The agent's instructions beside the phase's own prompt. */
const MANNERS = `You are a coding agent. You work in the checkout {cwd} with the tools that you are offered, until the task of the phase is done; no one answers questions in between.

- Look before you change: read what you edit. Keep to the style of the code around it. Check your work by running what checks it.
- Paths are relative to the checkout. Files outside of it are not yours.
- Several calls in one answer are carried out in sequence, in their order.
- Where an old answer of a tool was folded, call the tool again if you need it.`;

/** The whole system prompt: manners, the phase's prompt, then what people wrote for agents. */
export const wholePrompt = ({
  cwd,
  phase,
  memory,
}: {
  cwd: string;
  phase: string;
  memory: string;
}): string =>
  [
    MANNERS.replace('{cwd}', () => cwd),
    phase,
    ...(memory === '' ? [] : [`# Memory\n\nWhat people wrote for agents.\n\n${memory}`]),
  ].join('\n\n');
