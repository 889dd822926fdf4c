import type { AgentTool } from './agentTool.ts';

/** Most names of tools that are left out in a line. */
const MAX_NAMES = 10;

/**
 * As many tools as the endpoint takes, in their order: those of external servers at the end are left
 * out. `line`: which, for people; null = all are kept.
 */
export function limitTools(
  tools: readonly AgentTool[],
  most: number,
): { tools: readonly AgentTool[]; line: string | null } {
  const own = tools.filter(({ server }) => server === undefined).length;
  let room = Math.max(0, most - own);
  const leftOut: string[] = [];
  const kept = tools.filter(({ name, server }) => {
    if (server === undefined || room > 0) {
      room -= server === undefined ? 0 : 1;
      return true;
    }
    leftOut.push(name);
    return false;
  });
  if (leftOut.length === 0) return { tools, line: null };
  const more = leftOut.length > MAX_NAMES ? ` and ${leftOut.length - MAX_NAMES} more` : '';
  return {
    tools: kept,
    line: `The endpoint takes ${most} tools (maxTools), so ${leftOut.length === 1 ? '1 tool of external servers is' : `${leftOut.length} tools of external servers are`} left out: ${leftOut.slice(0, MAX_NAMES).join(', ')}${more}. List the tools that the phase needs in its \`tools\`.`,
  };
}
