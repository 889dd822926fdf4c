/** Tools of Claude Code: name → svc's name for it, or null where svc has no such tool. */
const CLAUDE_TOOLS: Readonly<Record<string, string | null>> = {
  Read: 'read',
  Write: 'write',
  Edit: 'edit',
  MultiEdit: 'edit',
  Bash: 'shell',
  Glob: 'glob',
  LS: 'glob',
  Grep: 'grep',
  Skill: 'skill',
  Agent: null,
  AskUserQuestion: null,
  BashOutput: null,
  EnterPlanMode: null,
  ExitPlanMode: null,
  KillBash: null,
  KillShell: null,
  ListMcpResourcesTool: null,
  LSP: null,
  NotebookEdit: null,
  NotebookRead: null,
  ReadMcpResourceTool: null,
  SendMessage: null,
  SlashCommand: null,
  Task: null,
  TaskCreate: null,
  TaskGet: null,
  TaskList: null,
  TaskOutput: null,
  TaskStop: null,
  TaskUpdate: null,
  TodoRead: null,
  TodoWrite: null,
  ToolSearch: null,
  WebFetch: null,
  WebSearch: null,
};

export interface ClaudeTool {
  /** What svc calls it; null = svc has no such tool. */
  own: string | null;
  /** Only some of its calls are meant, as in `Bash(git add:*)`. */
  isLimited: boolean;
}

/** Reads a name as Claude Code writes it; null = Claude Code has no such tool. */
export function parseClaudeTool(source: string): ClaudeTool | null {
  const [, name = '', limit] = /^([A-Za-z]+)(\(.*\))?$/s.exec(source) ?? [];
  if (!Object.hasOwn(CLAUDE_TOOLS, name)) return null;
  return { own: CLAUDE_TOOLS[name] ?? null, isLimited: limit !== undefined };
}

/** The names in a text such as `Read, Bash(git add:*, git commit:*), Grep`. */
export const splitToolNames = (text: string): string[] =>
  (text.match(/(?:[^,(]|\([^)]*\)?)+/g) ?? [])
    .map((name) => name.trim())
    .filter((name) => name !== '');
