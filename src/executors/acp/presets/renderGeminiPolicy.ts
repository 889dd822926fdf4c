import type { SessionRequest } from '../../../contract/session/executor.ts';
import { allowsBuiltInTool } from './preset.ts';

/** Gemini's tools by their name in a phase. */
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
 * Rules for single servers do not work: when a tool is called, 0.61 gives its server another name
 * (`mcp_svc`) than when it is shown. The servers are declared elsewhere.
 */
const SERVERS: Rule = { tools: ['mcp_*'], decision: 'allow', priority: 300 };

function buildGeminiRules(request: Pick<SessionRequest, 'builtInTools'>): Rule[] {
  if (request.builtInTools === null) return [SERVERS];
  const own = Object.entries(TOOLS).flatMap(([tool, names]) =>
    allowsBuiltInTool(request, tool) ? names : [],
  );
  return [
    // A tool that is denied altogether is not shown to the model.
    { tools: ['*'], decision: 'deny', priority: 100 },
    ...(own.length === 0 ? [] : [{ tools: own, decision: 'allow' as const, priority: 200 }]),
    SERVERS,
  ];
}

/**
 * A policy file that limits the Gemini CLI to the tools of its phase. The setting `tools.core`
 * would hide the tools of servers too, with a rule above those that allow a server.
 */
export const renderGeminiPolicy = (request: Pick<SessionRequest, 'builtInTools'>): string =>
  buildGeminiRules(request)
    .map(({ tools, decision, priority }) => {
      // These names contain no quote and no backslash, so a JSON string is a TOML string.
      const lines = [
        `toolName = ${JSON.stringify(tools)}`,
        `decision = "${decision}"`,
        `priority = ${priority}`,
      ];
      return ['[[rule]]', ...lines, ''].join('\n');
    })
    .join('\n');
