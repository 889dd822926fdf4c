import { type OfferedTool, escapeShownName } from './parseTool.ts';
import { createPlainName } from './renameArguments.ts';

/** Longest tool name that every endpoint takes, its server's part included, characters. */
const MAX_NAME_CHARS = 64;

export interface NamedTool {
  name: string;
  tool: OfferedTool;
}

export const toWholeToolName = (serverId: string, name: string): string =>
  `mcp__${serverId}__${name}`.replace(/[^A-Za-z0-9_-]/g, '_');

/** Whether a name would lose letters or digits, so that the rest says too little. */
const losesLetters = (name: string): boolean => /[^\P{L}A-Za-z]|[^\P{N}0-9]/u.test(name);

const cleanToolName = (name: string): string =>
  losesLetters(name) ? createPlainName(name) : name.replace(/[^A-Za-z0-9_-]/g, '_');

/**
 * Gives each tool of a server a unique name that every endpoint takes, the same in each session.
 * `takenNames`: whole names in use; the new ones are added. A tool whose name would be too long is left
 * out, with a line in `problems`.
 */
export function assignToolNames(
  serverId: string,
  tools: readonly OfferedTool[],
  takenNames: Set<string>,
): { named: NamedTool[]; problems: string[] } {
  const namedTools: NamedTool[] = [];
  const problems: string[] = [];
  const isPlain = ({ name }: OfferedTool): boolean => /^[A-Za-z0-9_-]+$/.test(name);
  const names = new Map<OfferedTool, string>();
  // Tools that keep their names come first, so that no other can take them.
  for (const tool of [...tools.filter(isPlain), ...tools.filter((one) => !isPlain(one))]) {
    const cleanName = cleanToolName(tool.name);
    const free = [cleanName, createPlainName(tool.name)].find(
      (name) => !takenNames.has(toWholeToolName(serverId, name)),
    );
    const whole = toWholeToolName(serverId, free ?? cleanName);
    if (whole.length > MAX_NAME_CHARS)
      problems.push(
        `The name of the tool ${escapeShownName(whole)} is too long (${whole.length} characters, at most ${MAX_NAME_CHARS}); it is left out`,
      );
    else if (free === undefined)
      problems.push(
        `The tool ${escapeShownName(tool.name)} has the same name as another tool; it is left out`,
      );
    else {
      takenNames.add(whole);
      names.set(tool, free);
    }
  }
  for (const tool of tools) {
    const name = names.get(tool);
    if (name === undefined) continue;
    const isChanged = name !== tool.name;
    const description = `Named ${JSON.stringify(escapeShownName(tool.name))} by its server. ${tool.description}`;
    namedTools.push({ name, tool: isChanged ? { ...tool, description } : tool });
  }
  return { named: namedTools, problems };
}
