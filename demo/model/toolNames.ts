import type { NamedCall, OfferedTool } from './conversation.ts';
import type { Call } from './script.ts';

type Named = Omit<NamedCall, 'id'>;

/** Names by which agents offer what scripts call shell, read and write. */
const NAMES = {
  shell: ['Bash', 'bash', 'run_shell_command', 'shell_command', 'exec_command', 'shell'],
  read: ['Read', 'read', 'read_file'],
  write: ['Write', 'write', 'write_file'],
} as const;

/** Fields by which they take the command, the file and its content. */
const FIELDS = {
  command: ['command', 'cmd'],
  path: ['file_path', 'filePath', 'absolute_path', 'path'],
  content: ['content'],
} as const;

/** Tools that want a word about the command beside it. */
const DESCRIPTION = 'description';

/** The quotes of a shell around any text. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const fieldOf = ({ fields }: OfferedTool, names: readonly string[]): string =>
  names.find((name) => fields.includes(name)) ?? names[0] ?? '';

const bare = (name: string, args: Named['args'] = {}): Named => ({ name, namespace: null, args });

/**
 * `mcp__svc__x` as the agents say it: literally, `svc_x`, `mcp_svc_x`, or `x` in the namespace
 * `mcp__svc`; `x` in a chat of the runner itself.
 */
function jobTool(offered: readonly OfferedTool[], name: string, args: Named['args']): Named {
  const found = offered.find((tool) =>
    tool.namespace === null
      ? [`mcp__svc__${name}`, `svc_${name}`, `mcp_svc_${name}`, name].includes(tool.name)
      : tool.namespace.endsWith('svc') && tool.name === name,
  );
  return found
    ? { name: found.name, namespace: found.namespace, args }
    : bare(`mcp__svc__${name}`, args);
}

function shell(offered: readonly OfferedTool[], command: string): Named {
  const tool = offered.find(({ name }) => NAMES.shell.some((known) => known === name));
  if (!tool) return bare('Bash', { command });
  const field = fieldOf(tool, FIELDS.command);
  const said = tool.fields.includes(DESCRIPTION) ? { [DESCRIPTION]: 'Runs a command' } : {};
  // codex' older tool takes the words of the command instead of its text.
  const value = tool.name === 'shell' ? ['sh', '-c', command] : command;
  return { name: tool.name, namespace: tool.namespace, args: { [field]: value, ...said } };
}

function fileTool(
  offered: readonly OfferedTool[],
  act: 'read' | 'write',
  path: string,
  content: string | null,
): Named {
  const tool = offered.find(({ name }) => NAMES[act].some((known) => known === name));
  if (!tool) {
    return shell(
      offered,
      content === null ? `cat ${quoted(path)}` : `printf '%s' ${quoted(content)} > ${quoted(path)}`,
    );
  }
  return {
    name: tool.name,
    namespace: tool.namespace,
    args: {
      [fieldOf(tool, FIELDS.path)]: path,
      ...(content === null ? {} : { [fieldOf(tool, FIELDS.content)]: content }),
    },
  };
}

/**
 * A call in the words of the agent that offers these tools. What has no tool for files does it with
 * the shell.
 */
export function named(offered: readonly OfferedTool[], call: Call): Named {
  if ('svc' in call) return jobTool(offered, call.svc, call.args ?? {});
  if ('shell' in call) return shell(offered, call.shell);
  if ('read' in call) return fileTool(offered, 'read', call.read, null);
  if ('write' in call) return fileTool(offered, 'write', call.write, call.content);
  const known = offered.find(({ name }) => name === call.tool);
  return { name: call.tool, namespace: known?.namespace ?? null, args: call.args ?? {} };
}
