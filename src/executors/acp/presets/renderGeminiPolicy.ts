import type { SessionRequest } from '../../../contract/session/executor.ts';
import { allowsBuiltInTool } from './preset.ts';

/** Their tools by what a phase calls them. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  read: ['read_file', 'read_many_files', 'list_directory'],
  write: ['write_file'],
  edit: ['replace'],
  shell: ['run_shell_command'],
  glob: ['glob'],
  grep: ['grep_search', 'search_file_content'],
  skill: ['activate_skill'],
};

interface Rule {
  tools: readonly string[];
  decision: 'allow' | 'deny';
  /** The higher one counts. */
  priority: number;
}

/**
 * Rules for single servers are of no use: when a tool is called, 0.61 gives its server another name
 * (`mcp_svc`) than when it is shown. The servers are declared elsewhere.
 */
const SERVERS: Rule = { tools: ['mcp_*'], decision: 'allow', priority: 300 };

function buildGeminiRules(request: Pick<SessionRequest, 'builtInTools'>): Rule[] {
  if (request.builtInTools === null) return [SERVERS];
  const own = Object.entries(TOOLS).flatMap(([tool, names]) =>
    allowsBuiltInTool(request, tool) ? names : [],
  );
  return [
    // What is denied altogether is not even shown to the model.
    { tools: ['*'], decision: 'deny', priority: 100 },
    ...(own.length === 0 ? [] : [{ tools: own, decision: 'allow' as const, priority: 200 }]),
    SERVERS,
  ];
}

/**
 * A policy file of the Gemini CLI, which keeps the agent to the tools of its phase. Its setting
 * `tools.core` would hide the tools of servers too: that puts a rule against everything above those
 * that allow a server.
 */
export const renderGeminiPolicy = (request: Pick<SessionRequest, 'builtInTools'>): string =>
  buildGeminiRules(request)
    .map(({ tools, decision, priority }) => {
      // Names without a quote or a backslash: a string of JSON is one of TOML.
      const lines = [
        `toolName = ${JSON.stringify(tools)}`,
        `decision = "${decision}"`,
        `priority = ${priority}`,
      ];
      return ['[[rule]]', ...lines, ''].join('\n');
    })
    .join('\n');
