import { resolveOwnForgeTool } from './toolPatterns.ts';

/**
 * A tool that a text calls: right after a backtick, or as the first word of a line of code,
 * followed by the closing backtick or its arguments.
 */
const NAMED = /(^[ \t]*|`)(?:mcp__svc__)?([a-z][a-z0-9_-]*)(?=`|[ \t]*\(?[ \t]*\{)/gm;
/** Stands for the name of the base branch. */
const BASE = /\{base\}/g;

export interface TextFacts {
  isTool(name: string): boolean;
  /** Prefix of that server's tools for the agent, such as `mcp__svc__`. */
  prefix: string;
  /** Id of the job's forge; null = none. */
  forge: string | null;
  base: string | null;
}

/**
 * Adapts a text of a workflow or an agent to one session: names of tools become those that its
 * agent sees, `scm_<verb>` becomes the verb of the job's forge, `{base}` the name of the base
 * branch. Unknown names are left unchanged.
 */
export function renderTextForAgent(
  text: string,
  { isTool, prefix, forge, base }: TextFacts,
): string {
  const renamedText = text.replace(NAMED, (all, before: string, toolName: string) => {
    const name = isTool(toolName) ? toolName : resolveOwnForgeTool(toolName, forge);
    return name === null || !isTool(name) ? all : `${before}${prefix}${name}`;
  });
  return base === null ? renamedText : renamedText.replace(BASE, () => base);
}
