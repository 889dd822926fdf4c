import type { CallJudge, OwnCall } from '../../contract/ownCall.ts';
import { messageOf } from '../../lib/errors.ts';
import { type Fields, fields, list, text } from '../../lib/untrusted.ts';

/** What programs call their tools, in the words of a phase's list. */
const WORDS: Readonly<Record<string, string>> = {
  Read: 'read',
  Write: 'write',
  Edit: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
  Bash: 'shell',
  shell: 'shell',
  Glob: 'glob',
  Grep: 'grep',
  Skill: 'skill',
};

/** The tools of the job; their server asks the rules itself. */
const OF_JOB = 'mcp__svc__';

/** Members of the arguments that name a file, as programs write them. */
const PATHS = ['file_path', 'filePath', 'notebook_path', 'absolute_path', 'abs_path', 'path'];
const COMMANDS = ['command', 'cmd'];

const commandIn = (input: Fields): string => {
  const found = COMMANDS.map((name) => input[name]).find((value) => value !== undefined);
  return Array.isArray(found) ? found.map(String).join(' ') : text(found);
};

const pathsIn = (input: Fields): string[] =>
  PATHS.map((name) => text(input[name]))
    .filter((path) => path !== '')
    .slice(0, 1);

/**
 * A call as rules see it. `more`: what else the program says of it, files that it changes and the
 * kind of tool that it is.
 */
export function ownCall(
  name: string,
  given: unknown,
  { tool = WORDS[name] ?? name, paths = [] }: { tool?: string; paths?: readonly string[] } = {},
): OwnCall {
  const input = fields(given);
  if (tool === 'shell') {
    const command = commandIn(input);
    return { tool, args: command === '' ? input : { command }, changes: [] };
  }
  if (tool !== 'write' && tool !== 'edit') return { tool, args: input, changes: [] };
  const changes = [...new Set([...pathsIn(input), ...paths])];
  return { tool, args: { path: changes[0] ?? '' }, changes };
}

/** Files that a program says a call is about. */
export const locationsOf = (call: Fields): string[] =>
  [...list(call.locations), ...list(call.content)]
    .map((one) => text(fields(one).path))
    .filter((path) => path !== '');

/** Why a call may not run; null = it may. What cannot be asked does not run. */
export async function refusalOf({ guard }: CallJudge, call: OwnCall): Promise<string | null> {
  if (!guard || call.tool.startsWith(OF_JOB)) return null;
  try {
    return await guard(call);
  } catch (error) {
    return `${call.tool}: nothing was done, because the rules could not be asked (${messageOf(error)}). Try it once more.`;
  }
}
