import { type Fields, toFields, toStringOrEmpty } from '../../base/json/untrusted.ts';

const OWN_SERVER = 'svc';

/**
 * How programs write the tool `b` of the tool server `a`: `mcp__a__b`, `mcp_a_b`, `a_b`, `a/b`,
 * `a.b`, `b (a MCP Server)`.
 */
const parseServerTool = (name: string, server: string): string | null => {
  const id = server.replace(/[^A-Za-z0-9]/g, '.');
  const toolName =
    new RegExp(`^(?:Tool: ?)?(?:mcp__?)?${id}(?:__|[_/.])([\\w-]+)$`).exec(name)?.[1] ??
    new RegExp(`^([\\w-]+) \\(${id} MCP Server\\)`).exec(name)?.[1];
  return toolName ?? null;
};

/**
 * The common name of a tool call: `mcp__<server>__<tool>` for tools of servers, else the agent's
 * own name.
 */
export function resolveToolName(call: Fields, servers: readonly string[]): string {
  const names = [call.name, toFields(toFields(call._meta).claudeCode).toolName, call.title]
    .map(toStringOrEmpty)
    .filter((name) => name !== '');
  // The title of a shell command is the command, which can be written so that it looks like the
  // name of a tool.
  const own =
    call.kind === undefined || call.kind === null || call.kind === 'other'
      ? names
      : names.slice(0, -1);
  for (const name of own) {
    for (const server of [OWN_SERVER, ...servers]) {
      const tool = parseServerTool(name, server);
      if (tool !== null) return `mcp__${server}__${tool}`;
    }
  }
  return (
    names.find((name) => A_NAME.test(name)) ??
    KIND_NAMES[toStringOrEmpty(call.kind)] ??
    (toStringOrEmpty(call.kind) || 'tool')
  );
}

const A_NAME = /^[\w.-]{1,64}$/;

/** Names by kind, for calls whose agent does not name the tool. */
const KIND_NAMES: Readonly<Record<string, string>> = { execute: 'shell', other: 'tool' };

/** Arguments that say most about a call; the first one present is shown. */
const TELLING = [
  'command',
  'cmd',
  'file_path',
  'filePath',
  'absolute_path',
  'path',
  'pattern',
  'url',
  'query',
  'name',
];

const pickTellingArgument = (input: Fields): unknown =>
  TELLING.map((name) => input[name]).find(
    (value) => typeof value === 'string' || Array.isArray(value),
  );

/** Whether the agent has announced a call but not yet its arguments. */
export const isBare = ({ status, rawInput }: Fields): boolean =>
  status === 'pending' && pickTellingArgument(toFields(rawInput)) === undefined;

/** The tool that opencode reports in place of a call that it cannot carry out. */
const INVALID = 'invalid';

/** The tool of a call that the agent could not carry out; null = it could. */
export const readRefusedTool = ({ title, rawInput }: Fields): string | null =>
  title === INVALID && A_NAME.test(toStringOrEmpty(toFields(rawInput).tool))
    ? toStringOrEmpty(toFields(rawInput).tool)
    : null;

export function formatAcpCallDetail(call: Fields): string {
  const input = toFields(call.rawInput);
  const telling = pickTellingArgument(input);
  if (telling !== undefined)
    return Array.isArray(telling) ? telling.join(' ') : toStringOrEmpty(telling);
  return Object.keys(input).length > 0 ? JSON.stringify(input) : toStringOrEmpty(call.title);
}
