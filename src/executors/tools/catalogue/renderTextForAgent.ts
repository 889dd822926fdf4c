import { resolveOwnForgeTool } from './toolPatterns.ts';

/**
 * A tool where a text calls it: right after a backtick, or as the first word of a line of code; what
 * follows is the closing backtick or its arguments.
 */
const NAMED = /(^[ \t]*|`)(?:mcp__svc__)?([a-z][a-z0-9_-]*)(?=`|[ \t]*\(?[ \t]*\{)/gm;
/** Stands for the name of the base branch. */
const BASE = /\{base\}/g;

export interface TextFacts {
  /** Whether the job's tool server has a tool with this name. */
  isTool(name: string): boolean;
  /** What the agent sees before the name of a tool of that server, such as `mcp__svc__`. */
  prefix: string;
  /** Id of the job's forge; null = none. */
  forge: string | null;
  /** The base branch of the job's repository; null = it has no repository. */
  base: string | null;
}

/**
 * A text of a workflow or an agent for one session: names of tools as its agent sees them,
 * `scm_<verb>` as the verb of the job's forge, `{base}` as the name of the base branch. What is not
 * known stays as it is written.
 */
export function renderTextForAgent(
  text: string,
  { isTool, prefix, forge, base }: TextFacts,
): string {
  const named = text.replace(NAMED, (all, before: string, written: string) => {
    const name = isTool(written) ? written : resolveOwnForgeTool(written, forge);
    return name === null || !isTool(name) ? all : `${before}${prefix}${name}`;
  });
  return base === null ? named : named.replace(BASE, () => base);
}
