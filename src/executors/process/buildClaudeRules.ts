import type { McpServer } from '../../contract/schema/session/mcpServer.ts';
import type { SessionRequest } from '../../contract/session/executor.ts';
import { toPlainId } from './toPlainIds.ts';

/** The program's own tools by their names in a phase. */
const TOOLS = {
  read: 'Read',
  write: 'Write',
  edit: 'Edit',
  shell: 'Bash',
  glob: 'Glob',
  grep: 'Grep',
  skill: 'Skill',
} as const;

interface ClaudeRules {
  tools: string[];
  /** Tools that need no permission, those of servers included. */
  allowedTools: string[];
  disallowedTools: string[];
}

/** A rule with the declared id matches no call: the program compares plain names. */
const toRulePrefix = ({ id }: McpServer): string => `mcp__${toPlainId(id)}`;

const listAllowedServerTools = (server: McpServer): string[] =>
  server.allowedTools === null
    ? [toRulePrefix(server)]
    : server.allowedTools.map((tool) => `${toRulePrefix(server)}__${tool}`);

export function buildClaudeRules({
  builtInTools,
  mcpServers,
}: Pick<SessionRequest, 'builtInTools' | 'mcpServers'>): ClaudeRules {
  const tools = Object.entries(TOOLS).flatMap(([tool, name]) =>
    builtInTools === null || builtInTools.includes(tool) ? [name] : [],
  );
  return {
    tools,
    // Our own server itself checks what a phase may call.
    allowedTools: ['mcp__svc', ...tools, ...mcpServers.flatMap(listAllowedServerTools)],
    disallowedTools: mcpServers.flatMap((server) =>
      server.disallowedTools.map((tool) => `${toRulePrefix(server)}__${tool}`),
    ),
  };
}

interface ClaudeEnvironment {
  /** null = the vendor's endpoint. */
  baseUrl: string | null;
  /** The job's home; a later session finds the transcripts in it. */
  home: string;
}

/**
 * The program's variables: its model, its folders, and that it contacts no other host. The key is
 * not among them: the program gets it from a command.
 */
export const buildClaudeEnvironment = ({
  baseUrl,
  home,
}: ClaudeEnvironment): Record<string, string> => ({
  ...(baseUrl === null ? {} : { ANTHROPIC_BASE_URL: baseUrl }),
  CLAUDE_CONFIG_DIR: `${home}/.claude`,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_BUG_COMMAND: '1',
  // Lists our tools whatever the model is called.
  ENABLE_TOOL_SEARCH: 'false',
});
