import { type ClaudeTool, parseClaudeTool, splitToolNames } from '../../base/agents/claudeTools.ts';
import type { Findings } from './findings.ts';
import type { Positions } from './positions.ts';

/** Keys for other programs, which change nothing in svc. */
const KEYS: ReadonlySet<string> = new Set([
  'allowed-tools',
  'argument-hint',
  'author',
  'background',
  'category',
  'color',
  'effort',
  'hooks',
  'icon',
  'initialPrompt',
  'isolation',
  'license',
  'maxTurns',
  'mcpServers',
  'memory',
  'metadata',
  'mode',
  'model',
  'permissionMode',
  'skills',
  'tags',
  'temperature',
  'title',
  'version',
]);

/** Keys that restrict an agent: without them it may do more than its author wants. */
const LIMITS: readonly string[] = ['disallowedTools', 'permissionMode'];
/** Tools that the mode `plan` forbids, by svc's names. */
const NOT_IN_PLAN_MODE = ['write', 'edit', 'shell'];

/** Tool names in a text or a list; null = neither. */
function readClaudeToolNames(value: unknown): readonly unknown[] | null {
  if (typeof value === 'string') return splitToolNames(value);
  return Array.isArray(value) ? value : null;
}

/** Forbidden tools, by svc's names. */
function readForbidden({ disallowedTools, permissionMode }: Readonly<Record<string, unknown>>) {
  const disallowedNames = (readClaudeToolNames(disallowedTools) ?? []).flatMap((name) => {
    const own = typeof name === 'string' ? (parseClaudeTool(name)?.own ?? name) : null;
    return own === null ? [] : [own];
  });
  return permissionMode === 'plan' ? [...disallowedNames, ...NOT_IN_PLAN_MODE] : disallowedNames;
}

const HINTS: Readonly<Record<string, string>> = {
  disallowedTools: 'List the allowed tools under tools.',
  model: 'The model of a phase is declared in the workflow.',
  mcpServers: 'Tool servers are declared in the configuration, or in .mcp.json of the repository.',
};

/** Removes keys for other programs, with a finding each. */
function dropForeignKeys(
  data: Readonly<Record<string, unknown>>,
  positions: Positions,
  findings: Findings,
): Record<string, unknown> {
  // Forbidden tools shorten a list of allowed ones; without a list nothing would restrict the
  // agent.
  const isUnlimited = readForbidden(data).length > 0 && readClaudeToolNames(data.tools) === null;
  return Object.fromEntries(
    Object.entries(data).filter(([key]) => {
      if (!KEYS.has(key) && !LIMITS.includes(key)) return true;
      const place = positions.key([key]);
      if (LIMITS.includes(key) && isUnlimited)
        findings.error(
          'of-other-program',
          place,
          `${key} limits the agent in another program, and svc reads it only beside tools.`,
          'Write the tools that the agent may use under tools, such as [read, grep].',
        );
      else
        findings.addWarning(
          'of-other-program',
          place,
          LIMITS.includes(key)
            ? `${key} belongs to another program: the tools it forbids are removed from tools.`
            : `Only other programs read ${key}.`,
          HINTS[key] ?? 'It has no effect here. Remove it, if no other program uses the file.',
        );
      return false;
    }),
  );
}

/** The tools by svc's names, with a finding for all that are replaced or left out. */
function toOwnTools(
  names: readonly unknown[],
  place: { line: number; column: number },
  findings: Findings,
): unknown[] {
  const read = names.map((name) => {
    const tool = typeof name === 'string' ? parseClaudeTool(name) : null;
    return { name, tool };
  });
  const listToolNames = (isWanted: (tool: ClaudeTool) => boolean): string =>
    read.flatMap(({ name, tool }) => (tool !== null && isWanted(tool) ? [name] : [])).join(', ');
  const warn = (foundNames: string, message: string, hint: string) => {
    if (foundNames !== '')
      findings.addWarning(
        'of-other-program',
        place,
        `${message}: ${foundNames.slice(0, 200)}.`,
        hint,
      );
  };
  const isTaken = ({ own, isLimited }: ClaudeTool): boolean => own !== null && !isLimited;
  const takenNames = [
    ...new Set(read.flatMap(({ tool }) => (tool && isTaken(tool) ? tool.own : []))),
  ];
  warn(
    listToolNames(isTaken),
    'These are Claude Code names, read as svc names',
    `Did you mean ${takenNames.join(', ')}?`,
  );
  warn(
    listToolNames(({ own }) => own === null),
    'svc does not have these tools, so they are ignored',
    'Remove them, or name tools of svc.',
  );
  warn(
    listToolNames(({ own, isLimited }) => own !== null && isLimited),
    'svc allows a tool for all calls or none, so these are ignored',
    'Write the name alone to allow all calls, and limit them with a guardrail.',
  );
  return read.flatMap(({ name, tool }) => {
    if (tool === null) return [name];
    return isTaken(tool) ? [tool.own] : [];
  });
}

/**
 * Converts an agent's front matter that may be Claude Code's: keys and tools that only Claude Code
 * knows are left out, and shared tools get svc's name. Each has a warning.
 */
export function readClaudeAgent(
  data: Readonly<Record<string, unknown>>,
  positions: Positions,
  findings: Findings,
): Record<string, unknown> {
  const own = dropForeignKeys(data, positions, findings);
  const { tools } = own;
  const names = readClaudeToolNames(tools);
  if (names === null) return own;
  const { tools: _tools, ...rest } = own;
  // An agent without the key has all tools.
  if (tools === '*') return rest;
  const forbidden = readForbidden(data);
  const keptTools = toOwnTools(names, positions.value(['tools']), findings).filter(
    (name) => !forbidden.some((one) => one === name),
  );
  return { ...rest, tools: [...new Set(keptTools)] };
}
