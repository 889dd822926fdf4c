import type { CallJudge, OwnCall } from '../../contract/session/ownCall.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import {
  type Fields,
  toFields,
  toListOrEmpty,
  toStringOrEmpty,
} from '../../base/json/untrusted.ts';

/** Names of programs' tools in a phase's list. */
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

/** The job's tools; their server checks the rules itself. */
const OF_JOB = 'mcp__svc__';

/** Arguments that name a file, in the spelling of programs. */
const PATHS = ['file_path', 'filePath', 'notebook_path', 'absolute_path', 'abs_path', 'path'];
const COMMANDS = ['command', 'cmd'];

const readCallCommand = (input: Fields): string => {
  const command = COMMANDS.map((name) => input[name]).find((value) => value !== undefined);
  return Array.isArray(command) ? command.map(String).join(' ') : toStringOrEmpty(command);
};

const readCallPaths = (input: Fields): string[] =>
  PATHS.map((name) => toStringOrEmpty(input[name]))
    .filter((path) => path !== '')
    .slice(0, 1);

/**
 * A call as rules see it. `more`: what else the program reports: files that it changes and the kind
 * of tool.
 */
export function toOwnCall(
  name: string,
  givenInput: unknown,
  { tool = WORDS[name] ?? name, paths = [] }: { tool?: string; paths?: readonly string[] } = {},
): OwnCall {
  const input = toFields(givenInput);
  if (tool === 'shell') {
    const command = readCallCommand(input);
    return { tool, args: command === '' ? input : { command }, changes: [] };
  }
  if (tool !== 'write' && tool !== 'edit') return { tool, args: input, changes: [] };
  const changes = [...new Set([...readCallPaths(input), ...paths])];
  return { tool, args: { path: changes[0] ?? '' }, changes };
}

/** Files that a call names as its places. */
export const listCallLocations = (call: Fields): string[] =>
  [...toListOrEmpty(call.locations), ...toListOrEmpty(call.content)]
    .map((one) => toStringOrEmpty(toFields(one).path))
    .filter((path) => path !== '');

/** Why a call may not run; null = it may. A call that cannot be checked does not run. */
export async function explainCallRefusal(
  { guard }: CallJudge,
  call: OwnCall,
): Promise<string | null> {
  if (!guard || call.tool.startsWith(OF_JOB)) return null;
  try {
    return await guard(call);
  } catch (error) {
    return `${call.tool}: nothing was done, because the rules could not be asked (${toErrorMessage(error)}). Try it once more.`;
  }
}
