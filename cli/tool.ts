import { isTemporary } from '../src/domain/temporaryCodes.ts';
import { ALIAS_META, STRUCTURED_META } from '../src/tools/structuredMeta.ts';
import type { ExitCode } from './exitCodes.ts';
import { isRecord, mcpRequest, NoAnswer, type ToolServer } from './connect/mcpRequest.ts';
import { NoSession, sessionServer } from './connect/sessionServer.ts';

/** What `svc tool --help` prints. */
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

/** What `svc tool` reads from and writes to. */
export interface ToolStreams {
  stdin: AsyncIterable<Buffer | string>;
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}

class Usage extends Error {}

interface Command {
  name: string | undefined;
  json: string | undefined;
  flags: ReadonlySet<string>;
}

function commandOf(given: readonly string[]): Command {
  const argv = given.map((word) => (word === '-h' ? '--help' : word));
  const flags = new Set(argv.filter((word) => word.startsWith('--')));
  const unknown = [...flags].filter(
    (flag) => !['--text', '--list', '--help', '--json'].includes(flag),
  );
  if (unknown.length > 0)
    throw new Usage(`svc tool does not know ${unknown.join(', ')}. See svc tool --help.`);
  if (flags.has('--text') && flags.has('--json'))
    throw new Usage('--text and --json cannot be combined. Give one.');
  const [name, json, ...more] = argv.filter((word) => !word.startsWith('--'));
  if (more.length > 0) {
    throw new Usage(
      `svc tool takes a name and one JSON text, but got ${more.length} more words. Put the JSON in single quotes, or use - and stdin.`,
    );
  }
  // Prompts name the tools as agents of other kinds see them.
  return { name: name?.replace(/^mcp__svc__/, ''), json, flags };
}

async function readAll(input: AsyncIterable<Buffer | string>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of input) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString('utf8');
}

async function argumentsOf(
  json: string | undefined,
  stdin: ToolStreams['stdin'],
): Promise<Record<string, unknown>> {
  const text = json === '-' ? await readAll(stdin) : (json ?? '{}');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Usage(
      `The arguments are not JSON: ${error instanceof Error ? error.message : ''}. Example: svc tool goto_phase '{"phase":"coding"}'`,
    );
  }
  if (!isRecord(value))
    throw new Usage('The arguments must be a JSON object, such as {"phase":"coding"}.');
  return value;
}

const textOf = (result: Record<string, unknown>): string =>
  (Array.isArray(result.content) ? result.content : [])
    .flatMap((part: unknown) =>
      isRecord(part) && typeof part.text === 'string' ? [part.text] : [],
    )
    .join('\n');

async function listed(server: ToolServer): Promise<Record<string, unknown>[]> {
  const { tools } = await mcpRequest(server, 'tools/list', { _meta: { [STRUCTURED_META]: true } });
  return Array.isArray(tools) ? tools.filter(isRecord) : [];
}

/** The other name of a tool, such as `scm_create_pr`; undefined = it has none. */
const aliasOf = ({ _meta }: Record<string, unknown>): unknown =>
  isRecord(_meta) ? _meta[ALIAS_META] : undefined;

async function call(
  server: ToolServer,
  name: string,
  args: Record<string, unknown>,
  flags: ReadonlySet<string>,
  streams: ToolStreams,
): Promise<ExitCode> {
  const asJson = flags.has('--json');
  const result = await mcpRequest(server, 'tools/call', {
    name,
    arguments: args,
    _meta: { [STRUCTURED_META]: true },
  });
  if (result.isError === true) {
    const detail = textOf(result);
    const { code } = isRecord(result.structuredContent) ? result.structuredContent : {};
    const error = typeof code === 'string' ? { code, detail } : { detail };
    if (asJson) streams.stdout.write(`${JSON.stringify({ error })}\n`);
    else streams.stderr.write(`${detail}\n`);
    if (code === 'stopping') return 5;
    return isTemporary(code) ? 75 : 1;
  }
  streams.stdout.write(
    `${flags.has('--text') ? textOf(result) : JSON.stringify(result.structuredContent ?? {})}\n`,
  );
  return 0;
}

async function describe(
  server: ToolServer,
  name: string,
  asJson: boolean,
  streams: ToolStreams,
): Promise<ExitCode> {
  const tool = (await listed(server)).find((one) => one.name === name || aliasOf(one) === name);
  if (!tool) throw new Usage(`The tool ${name} does not exist. svc tool --list lists all tools.`);
  streams.stdout.write(
    asJson
      ? `${JSON.stringify(tool)}\n`
      : `${tool.name}: ${tool.description}\n\nArguments (JSON Schema):\n${JSON.stringify(tool.inputSchema, null, 2)}\n`,
  );
  return 0;
}

async function list(server: ToolServer, asJson: boolean, streams: ToolStreams): Promise<ExitCode> {
  const tools = await listed(server);
  if (asJson) {
    streams.stdout.write(`${JSON.stringify(tools)}\n`);
    return 0;
  }
  const width = Math.max(0, ...tools.map(({ name }) => String(name).length));
  for (const { name, title } of tools)
    streams.stdout.write(`${String(name).padEnd(width)}  ${title}\n`);
  return 0;
}

async function run(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  streams: ToolStreams,
): Promise<ExitCode> {
  const { name, json, flags } = commandOf(argv);
  const help = flags.has('--help');
  if (name === undefined && (help || !flags.has('--list'))) {
    streams[help ? 'stdout' : 'stderr'].write(TOOL_HELP);
    return help ? 0 : 2;
  }
  const args = await argumentsOf(json, streams.stdin);
  const server = await sessionServer(env.SVC_SESSION_DIR);
  const asJson = flags.has('--json');
  if (flags.has('--list') || name === undefined) return list(server, asJson, streams);
  return help ? describe(server, name, asJson, streams) : call(server, name, args, flags, streams);
}

const exitCodeOf = (status: number | null): ExitCode => {
  if (status === null || status === 503) return 5;
  if (status === 401 || status === 403) return 4;
  return status === 404 ? 3 : 1;
};

/**
 * `svc tool`; `argv` is what follows the word tool. Writes and answers the exit code, never throws.
 * Loads nothing but Node's own modules, so that it starts fast; let the process end by itself, so
 * that all of stdout is written.
 */
export async function runTool(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  streams: ToolStreams,
): Promise<ExitCode> {
  try {
    return await run(argv, env, streams);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (argv.includes('--json'))
      streams.stdout.write(`${JSON.stringify({ error: { detail: message } })}\n`);
    else streams.stderr.write(`${message}\n`);
    if (error instanceof Usage || error instanceof NoSession) return 2;
    return error instanceof NoAnswer ? exitCodeOf(error.status) : 1;
  }
}
