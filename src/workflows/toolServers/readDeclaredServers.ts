import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { makeOnFirstUse } from '../../base/concurrency/makeOnFirstUse.ts';
import { LONGEST_START_MS, SHORTEST_START_MS } from '../../base/limits/inputLimits.ts';
import type { McpServer, UnusableServer } from '../../contract/schema/session/mcpServer.ts';
import { VariableExpansion, type Variables } from './variableExpansion.ts';

/** Most servers of one file. */
const MAX_SERVERS = 50;
const SERVER_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
/** The runner's own tool server; another one with this name would receive its calls. */
const RESERVED_ID = 'svc';

const words = Type.Array(Type.String({ maxLength: 4096 }), { maxItems: 500 });
const texts = Type.Record(
  Type.String({ minLength: 1, maxLength: 128 }),
  Type.String({ maxLength: 16_384 }),
);

const Declaration = Type.Object({
  type: Type.Optional(Type.String({ maxLength: 100 })),
  enabled: Type.Optional(Type.Boolean()),
  disabled: Type.Optional(Type.Boolean()),
  command: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
  args: Type.Optional(words),
  env: Type.Optional(texts),
  url: Type.Optional(Type.String({ maxLength: 4096 })),
  headers: Type.Optional(texts),
  timeoutMs: Type.Optional(Type.Number()),
  timeout: Type.Optional(Type.Number()),
  allowedEnv: Type.Optional(words),
  allowedTools: Type.Optional(words),
  disallowedTools: Type.Optional(words),
});
type Declaration = Type.Static<typeof Declaration>;

const shape = makeOnFirstUse(() => Compile(Declaration));

/** Names of transports in svc and other programs. */
const TRANSPORTS: ReadonlyMap<string, McpServer['transport']> = new Map([
  ['stdio', 'stdio'],
  ['local', 'stdio'],
  ['http', 'http'],
  ['streamable-http', 'http'],
  ['streamable_http', 'http'],
  ['streamablehttp', 'http'],
  ['remote', 'http'],
  ['sse', 'sse'],
]);
/** Other programs' names of members. */
const OTHER_NAMES: ReadonlyMap<string, keyof Declaration> = new Map([
  ['transport', 'type'],
  ['transportType', 'type'],
  ['httpUrl', 'url'],
  ['serverUrl', 'url'],
]);

/** Members of other programs without an equivalent here; a server without them may work. */
const IGNORED: readonly string[] = ['cwd', 'envFile', 'headersHelper'];
/** Variables that editors fill in, such as `${input:token}`. */
const EDITOR_VARIABLE = /\$\{(?:input|env|command|config|file):[^}]*\}/;

export interface DeclaredServers {
  servers: McpServer[];
  off: string[];
  /** What was left out and why, without values of the declaration. */
  notes: string[];
  unusable: UnusableServer[];
}

export const NOTHING_DECLARED: DeclaredServers = { servers: [], off: [], notes: [], unusable: [] };

/** Source of a map of servers, and its allowed variables. */
export interface DeclarationPlace {
  origin: McpServer['origin'];
  name: string;
  /** Slug of the declaring repository; null = none. */
  repo: string | null;
  /** The environment variables that this server may be given. */
  variables(id: string): Variables;
}

type ServerReadResult =
  | { server: McpServer; notes: string[] }
  | 'off'
  | 'nothing'
  | { problem: string };

const renameForeignMembers = (declaration: unknown): unknown =>
  typeof declaration !== 'object' || declaration === null || Array.isArray(declaration)
    ? declaration
    : Object.fromEntries(
        Object.entries(declaration).map(([name, value]) => {
          const ours = OTHER_NAMES.get(name);
          return [ours === undefined || ours in declaration ? name : ours, value];
        }),
      );

/** Names the wrong member and its mistake. */
function describeDeclarationMistake(declaration: unknown): string {
  const [first] = shape().Errors(declaration);
  const member = first?.instancePath.slice(1).replaceAll('/', '.') ?? '';
  const message = first?.message ?? '';
  return member === ''
    ? 'it must be an object with a command or a url'
    : `its ${member.slice(0, 100)} ${message}`;
}

/** The longest start in a declaration, and what is wrong with it. */
function readStartTimeout({ timeoutMs, timeout }: Declaration): { ms?: number; note?: string } {
  const name = timeoutMs === undefined ? 'timeout' : 'timeoutMs';
  const ms = timeoutMs ?? timeout;
  if (ms === undefined) return {};
  if (ms >= SHORTEST_START_MS) return { ms: Math.min(Math.round(ms), LONGEST_START_MS) };
  return {
    note: `its ${name} of ${ms} is ignored: it is in milliseconds, and at least ${SHORTEST_START_MS}`,
  };
}

function readDeclaredServer(
  id: string,
  rawServer: unknown,
  place: DeclarationPlace,
): ServerReadResult {
  if (!SERVER_ID.test(id))
    return {
      problem: 'its id may only contain alphanumeric characters, dots, hyphens and underscores',
    };
  if (id.toLowerCase() === RESERVED_ID)
    return { problem: `the id ${RESERVED_ID} is reserved for the runner` };
  const declaration = renameForeignMembers(rawServer);
  if (!shape().Check(declaration)) return { problem: describeDeclarationMistake(declaration) };
  if (declaration.enabled === false || declaration.disabled === true) return 'off';
  const { type: declaredType, command, url } = declaration;
  // Settings for a server that is declared elsewhere.
  if (place.origin === 'config' && declaredType === undefined && !command && !url) return 'nothing';
  const type = declaredType ?? (command === undefined ? 'http' : 'stdio');
  const transport = TRANSPORTS.get(type.toLowerCase());
  if (transport === undefined) return { problem: 'its type is not one of stdio, http and sse' };
  const isProgram = transport === 'stdio';
  if (!(isProgram ? command : url))
    return {
      problem: `a server of type ${transport} needs ${isProgram ? 'a command' : 'a url'}`,
    };
  const written = [command, url, declaration.args, declaration.env, declaration.headers];
  const [ofEditor] = EDITOR_VARIABLE.exec(JSON.stringify(written)) ?? [];
  if (ofEditor !== undefined)
    return {
      problem: `it uses ${ofEditor.slice(0, 100)}, which only an editor fills in: write \${NAME} and allow the name`,
    };
  const ignored = IGNORED.filter((name) => name in declaration);
  const expansion = new VariableExpansion(place.variables(id));
  const server = {
    id,
    origin: place.origin,
    transport,
    command: isProgram ? expansion.text(command ?? '') : null,
    env: isProgram ? expansion.map(declaration.env ?? {}) : {},
    url: isProgram ? null : expansion.text(url ?? ''),
    headers: isProgram ? {} : expansion.map(declaration.headers ?? {}),
    allowedTools: declaration.allowedTools ?? null,
    disallowedTools: declaration.disallowedTools ?? [],
  };
  const before = expansion.secrets.size;
  const args = isProgram ? expansion.list(declaration.args ?? []) : [];
  const missing = expansion.problem(id, place.repo);
  if (missing !== null) return { problem: missing };
  if (server.url !== null && !/^https?:\/\//i.test(server.url))
    return { problem: 'its url must begin with http:// or https://' };
  if (server.url !== null && !URL.canParse(server.url))
    return { problem: 'its url is not a valid address' };
  const { ms, note } = readStartTimeout(declaration);
  const names = [...expansion.defaulted].join(', ');
  return {
    server: {
      ...server,
      args,
      ...(ms === undefined ? {} : { timeoutMs: ms }),
      ...(expansion.secrets.size === 0 ? {} : { secrets: [...expansion.secrets] }),
    },
    notes: [
      ...(note === undefined ? [] : [note]),
      ...ignored.map((name) => `its ${name} is ignored: svc has no such setting`),
      ...(expansion.secrets.size > before
        ? [
            'a variable of the environment is one of its arguments, which all users of the machine can read; env is not',
          ]
        : []),
      ...(names === ''
        ? []
        : [`it has the default of ${names}, because the name is not allowed (allowedEnv)`]),
    ],
  };
}

/**
 * Reads a map of servers by id, such as `mcpServers` of a configuration file. Never throws: a wrong
 * entry hides no other.
 */
export function readDeclaredServers(map: unknown, place: DeclarationPlace): DeclaredServers {
  const declaredServers: DeclaredServers = { servers: [], off: [], notes: [], unusable: [] };
  if (map === undefined) return declaredServers;
  if (typeof map !== 'object' || map === null || Array.isArray(map)) {
    return {
      ...declaredServers,
      notes: [`${place.name}: mcpServers is not a map and was left out`],
    };
  }
  for (const [id, declared] of Object.entries(map).slice(0, MAX_SERVERS)) {
    const serverReadResult = readDeclaredServer(id, declared, place);
    const shownId = JSON.stringify(id.slice(0, 100));
    if (serverReadResult === 'nothing') continue;
    if (serverReadResult === 'off') declaredServers.off.push(id);
    else if ('server' in serverReadResult) {
      declaredServers.servers.push(serverReadResult.server);
      declaredServers.notes.push(
        ...serverReadResult.notes.map((note) => `${place.name}: the server ${shownId}: ${note}`),
      );
    } else {
      declaredServers.unusable.push({ id, why: serverReadResult.problem });
      declaredServers.notes.push(
        `${place.name}: the server ${shownId} was left out: ${serverReadResult.problem}`,
      );
    }
  }
  if (Object.keys(map).length > MAX_SERVERS)
    declaredServers.notes.push(`${place.name}: only the first ${MAX_SERVERS} servers are used`);
  return declaredServers;
}

/** Line and column of an offset, from 1. */
function formatLineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

/** Where a text is no JSON, and why. */
function explainInvalidJson(text: string): string {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true });
  } catch {
    return 'its brackets are nested too deeply';
  }
  const [first] = errors;
  return first === undefined
    ? 'it cannot be parsed'
    : `${formatLineAndColumn(text, first.offset)}: ${printParseErrorCode(first.error)}`;
}

/** Reads the text of a JSON file with a member `mcpServers`. Never throws. */
export function parseDeclaredServers(source: string, place: DeclarationPlace): DeclaredServers {
  const text = source.replace(/^\ufeff/, '');
  let root: unknown;
  try {
    // The other parser recurses, and takes `__proto__` for a prototype; this one does neither.
    root = JSON.parse(text);
  } catch {
    return {
      ...NOTHING_DECLARED,
      notes: [
        `${place.name} is not valid JSON (${explainInvalidJson(text)}); its servers were left out`,
      ],
    };
  }
  const map =
    typeof root === 'object' && root !== null && 'mcpServers' in root ? root.mcpServers : undefined;
  return readDeclaredServers(map, place);
}
