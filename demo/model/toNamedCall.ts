import { quotePosixWord } from '../../src/base/text/quotePosixWord.ts';
import type { NamedCall, OfferedTool } from './conversation.ts';
import type { Call } from './script.ts';

type UnsentCall = Omit<NamedCall, 'id'>;

/** Names that agents give to the tools that scripts call shell, read and write. */
const NAMES = {
  shell: ['Bash', 'bash', 'run_shell_command', 'shell_command', 'exec_command', 'shell'],
  read: ['Read', 'read', 'read_file'],
  write: ['Write', 'write', 'write_file'],
} as const;

/** Names that these tools give to the command, the file and its content. */
const FIELDS = {
  command: ['command', 'cmd'],
  path: ['file_path', 'filePath', 'absolute_path', 'path'],
  content: ['content'],
} as const;

/** Some tools want a description of the command beside it. */
const DESCRIPTION = 'description';

const pickFieldName = ({ fields }: OfferedTool, names: readonly string[]): string =>
  names.find((name) => fields.includes(name)) ?? names[0] ?? '';

const createBareCall = (name: string, args: UnsentCall['args'] = {}): UnsentCall => ({
  name,
  namespace: null,
  args,
});

/**
 * `mcp__a__x` as the agents say it: literally, `a_x`, `mcp_a_x`, or `x` in the namespace `mcp__a`.
 * What endpoints refuse in the id of a server is `_`.
 */
function serverTool(
  offered: readonly OfferedTool[],
  server: string,
  name: string,
  args: UnsentCall['args'],
): UnsentCall {
  const id = server.replace(/[^A-Za-z0-9_-]/g, '_');
  const forms = [`mcp__${id}__${name}`, `${id}_${name}`, `mcp_${id}_${name}`];
  const offeredTool = offered.find((tool) =>
    tool.namespace === null
      ? forms.includes(tool.name)
      : tool.namespace === `mcp__${id}` && tool.name === name,
  );
  return offeredTool
    ? { name: offeredTool.name, namespace: offeredTool.namespace, args }
    : createBareCall(`mcp__${id}__${name}`, args);
}

/** A tool of the job. In a chat of the runner itself it has its plain name. */
function nameSvcTool(
  offered: readonly OfferedTool[],
  name: string,
  args: UnsentCall['args'],
): UnsentCall {
  const unsentCall = serverTool(offered, 'svc', name, args);
  const isPlain = offered.some((tool) => tool.namespace === null && tool.name === name);
  const isOffered = offered.some((tool) => tool.name === unsentCall.name);
  return isPlain && !isOffered ? createBareCall(name, args) : unsentCall;
}

function nameShellCall(offered: readonly OfferedTool[], command: string): UnsentCall {
  const tool = offered.find(({ name }) => NAMES.shell.some((known) => known === name));
  if (!tool) return createBareCall('Bash', { command });
  const field = pickFieldName(tool, FIELDS.command);
  const description = tool.fields.includes(DESCRIPTION) ? { [DESCRIPTION]: 'Runs a command' } : {};
  // codex' older tool takes the words of the command instead of its text.
  const value = tool.name === 'shell' ? ['sh', '-c', command] : command;
  return { name: tool.name, namespace: tool.namespace, args: { [field]: value, ...description } };
}

function nameFileCall(
  offered: readonly OfferedTool[],
  act: 'read' | 'write',
  path: string,
  content: string | null,
): UnsentCall {
  const tool = offered.find(({ name }) => NAMES[act].some((known) => known === name));
  if (!tool) {
    return nameShellCall(
      offered,
      content === null
        ? `cat ${quotePosixWord(path)}`
        : `printf '%s' ${quotePosixWord(content)} > ${quotePosixWord(path)}`,
    );
  }
  return {
    name: tool.name,
    namespace: tool.namespace,
    args: {
      [pickFieldName(tool, FIELDS.path)]: path,
      ...(content === null ? {} : { [pickFieldName(tool, FIELDS.content)]: content }),
    },
  };
}

/**
 * A call in the words of the agent that offers these tools. Without tools for files it uses the
 * shell.
 */
export function toNamedCall(offered: readonly OfferedTool[], call: Call): UnsentCall {
  if ('svc' in call) return nameSvcTool(offered, call.svc, call.args ?? {});
  if ('server' in call) return serverTool(offered, call.server, call.mcp, call.args ?? {});
  if ('shell' in call) return nameShellCall(offered, call.shell);
  if ('read' in call) return nameFileCall(offered, 'read', call.read, null);
  if ('write' in call) return nameFileCall(offered, 'write', call.write, call.content);
  const known = offered.find(({ name }) => name === call.tool);
  return { name: call.tool, namespace: known?.namespace ?? null, args: call.args ?? {} };
}
