import { isJsonObject } from '../src/base/json/isJsonObject.ts';
import { isTemporary } from '../src/base/errors/temporaryCodes.ts';
import { ALIAS_META, STRUCTURED_META } from '../src/executors/tools/host/structuredMeta.ts';
import type { ExitCode } from './exitCodes.ts';
import { sendMcpRequest, NoAnswer, type ToolServer } from './remote/sendMcpRequest.ts';
import { NoSession, readSessionServer } from './remote/readSessionServer.ts';

export const TOOL_HELP = `svc tool: calls a tool of the running phase. For programs that run as agents of a job.

  svc tool <name> ['<json>' | -] [--text]   call it; - reads the arguments from stdin, none = {}
  svc tool <name> --help                    what it does and which arguments it takes
  svc tool --list                           all tools

Prints the result as one line of JSON, with or without --json. --text prints what a model is shown:
what to do next, and untrusted text in a marked fence. With --json, the list, the help of a tool and errors are also JSON.
scm_<verb> calls that verb of the forge of the job, tracker_<verb> that of its tracker.
Exit codes: 0 done, 1 the tool refused (reason on stderr), 2 usage error or no session, 3 the phase is over,
4 wrong token, 5 the runner does not answer or is stopping, 75 temporary: another service, such as the forge,
does not answer or takes no more requests for a while; nothing was done. --json names the code: unreachable or rate-limited.
`;

export interface ToolStreams {
  stdin: AsyncIterable<Buffer | string>;
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}

class ToolUsageError extends Error {}

interface ParsedToolCommand {
  name: string | undefined;
  json: string | undefined;
  flags: ReadonlySet<string>;
}

function parseToolCommand(args: readonly string[]): ParsedToolCommand {
  const argv = args.map((word) => (word === '-h' ? '--help' : word));
  const flags = new Set(argv.filter((word) => word.startsWith('--')));
  const unknown = [...flags].filter(
    (flag) => !['--text', '--list', '--help', '--json'].includes(flag),
  );
  if (unknown.length > 0)
    throw new ToolUsageError(`svc tool does not know ${unknown.join(', ')}. See svc tool --help.`);
  if (flags.has('--text') && flags.has('--json'))
    throw new ToolUsageError('--text and --json cannot be combined. Give one.');
  const [name, json, ...more] = argv.filter((word) => !word.startsWith('--'));
  if (more.length > 0) {
    throw new ToolUsageError(
      `svc tool takes a name and one JSON text, but got ${more.length} more words. Put the JSON in single quotes, or use - and stdin.`,
    );
  }
  // Prompts name the tools as agents of other kinds see them.
  return { name: name?.replace(/^mcp__svc__/, ''), json, flags };
}

async function readAllText(input: AsyncIterable<Buffer | string>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of input) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString('utf8');
}

async function parseToolArguments(
  json: string | undefined,
  stdin: ToolStreams['stdin'],
): Promise<Record<string, unknown>> {
  const text = json === '-' ? await readAllText(stdin) : (json ?? '{}');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ToolUsageError(
      `The arguments are not JSON: ${error instanceof Error ? error.message : ''}. Example: svc tool goto_phase '{"phase":"coding"}'`,
    );
  }
  if (!isJsonObject(value))
    throw new ToolUsageError('The arguments must be a JSON object, such as {"phase":"coding"}.');
  return value;
}

const joinToolText = (result: Record<string, unknown>): string =>
  (Array.isArray(result.content) ? result.content : [])
    .flatMap((part: unknown) =>
      isJsonObject(part) && typeof part.text === 'string' ? [part.text] : [],
    )
    .join('\n');

async function fetchToolList(server: ToolServer): Promise<Record<string, unknown>[]> {
  const { tools } = await sendMcpRequest(server, 'tools/list', {
    _meta: { [STRUCTURED_META]: true },
  });
  return Array.isArray(tools) ? tools.filter(isJsonObject) : [];
}

/** The other name of a tool, such as `scm_create_pr`; undefined = none. */
const findToolAlias = ({ _meta }: Record<string, unknown>): unknown =>
  isJsonObject(_meta) ? _meta[ALIAS_META] : undefined;

async function callSessionTool(
  server: ToolServer,
  name: string,
  args: Record<string, unknown>,
  flags: ReadonlySet<string>,
  streams: ToolStreams,
): Promise<ExitCode> {
  const asJson = flags.has('--json');
  const result = await sendMcpRequest(server, 'tools/call', {
    name,
    arguments: args,
    _meta: { [STRUCTURED_META]: true },
  });
  if (result.isError === true) {
    const detail = joinToolText(result);
    const { code } = isJsonObject(result.structuredContent) ? result.structuredContent : {};
    const error = typeof code === 'string' ? { code, detail } : { detail };
    if (asJson) streams.stdout.write(`${JSON.stringify({ error })}\n`);
    else streams.stderr.write(`${detail}\n`);
    if (code === 'stopping') return 5;
    return isTemporary(code) ? 75 : 1;
  }
  streams.stdout.write(
    `${flags.has('--text') ? joinToolText(result) : JSON.stringify(result.structuredContent ?? {})}\n`,
  );
  return 0;
}

async function printToolHelp(
  server: ToolServer,
  name: string,
  asJson: boolean,
  streams: ToolStreams,
): Promise<ExitCode> {
  const tool = (await fetchToolList(server)).find(
    (one) => one.name === name || findToolAlias(one) === name,
  );
  if (!tool)
    throw new ToolUsageError(`The tool ${name} does not exist. svc tool --list lists all tools.`);
  streams.stdout.write(
    asJson
      ? `${JSON.stringify(tool)}\n`
      : `${tool.name}: ${tool.description}\n\nArguments (JSON Schema):\n${JSON.stringify(tool.inputSchema, null, 2)}\n`,
  );
  return 0;
}

async function printToolList(
  server: ToolServer,
  asJson: boolean,
  streams: ToolStreams,
): Promise<ExitCode> {
  const tools = await fetchToolList(server);
  if (asJson) {
    streams.stdout.write(`${JSON.stringify(tools)}\n`);
    return 0;
  }
  const width = Math.max(0, ...tools.map(({ name }) => String(name).length));
  for (const { name, title } of tools)
    streams.stdout.write(`${String(name).padEnd(width)}  ${title}\n`);
  return 0;
}

async function runToolCommand(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  streams: ToolStreams,
): Promise<ExitCode> {
  const { name, json, flags } = parseToolCommand(argv);
  const help = flags.has('--help');
  if (name === undefined && (help || !flags.has('--list'))) {
    streams[help ? 'stdout' : 'stderr'].write(TOOL_HELP);
    return help ? 0 : 2;
  }
  const args = await parseToolArguments(json, streams.stdin);
  const server = await readSessionServer(env.SVC_SESSION_DIR);
  const asJson = flags.has('--json');
  if (flags.has('--list') || name === undefined) return printToolList(server, asJson, streams);
  return help
    ? printToolHelp(server, name, asJson, streams)
    : callSessionTool(server, name, args, flags, streams);
}

const toToolExitCode = (status: number | null): ExitCode => {
  if (status === null || status === 503) return 5;
  if (status === 401 || status === 403) return 4;
  return status === 404 ? 3 : 1;
};

/**
 * `svc tool`; `argv` is what follows the word tool. Writes and returns the exit code, never throws.
 * Loads only Node's own modules, so that it starts fast. Let the process end by itself, so that all
 * of stdout is written.
 */
export async function runTool(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  streams: ToolStreams,
): Promise<ExitCode> {
  try {
    return await runToolCommand(argv, env, streams);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (argv.includes('--json'))
      streams.stdout.write(`${JSON.stringify({ error: { detail: message } })}\n`);
    else streams.stderr.write(`${message}\n`);
    if (error instanceof ToolUsageError || error instanceof NoSession) return 2;
    return error instanceof NoAnswer ? toToolExitCode(error.status) : 1;
  }
}
