import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { onFirstUse } from '../../domain/onFirstUse.ts';
import type { McpServer } from '../../schema/mcpServer.ts';

/** Most servers of one file. */
const MAX_SERVERS = 50;
const SERVER_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
/**
 * The runner's own tool server; another one named so would receive the calls that agents mean for
 * it.
 */
const RESERVED_ID = 'svc';

const words = Type.Array(Type.String({ maxLength: 4096 }), { maxItems: 500 });
const texts = Type.Record(
  Type.String({ minLength: 1, maxLength: 128 }),
  Type.String({ maxLength: 16_384 }),
);

const shape = onFirstUse(() =>
  Compile(
    Type.Object({
      type: Type.Optional(Type.Enum(['stdio', 'http', 'sse', 'streamable-http'])),
      enabled: Type.Optional(Type.Boolean()),
      disabled: Type.Optional(Type.Boolean()),
      command: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
      args: Type.Optional(words),
      env: Type.Optional(texts),
      url: Type.Optional(Type.String({ maxLength: 4096 })),
      headers: Type.Optional(texts),
      allowedTools: Type.Optional(words),
      disallowedTools: Type.Optional(words),
    }),
  ),
);

export interface DeclaredServers {
  servers: McpServer[];
  /** Ids that are declared and switched off. */
  off: string[];
  /** What was left out and why; no value of the declaration is repeated. */
  notes: string[];
}

function readServer(
  id: string,
  declared: unknown,
  origin: McpServer['origin'],
): McpServer | 'off' | string {
  if (!SERVER_ID.test(id))
    return 'its id may only contain alphanumeric characters, dots, hyphens and underscores';
  if (id.toLowerCase() === RESERVED_ID) return `the id ${RESERVED_ID} is reserved for the runner`;
  if (!shape().Check(declared)) return 'it is not a valid server';
  if (declared.enabled === false || declared.disabled === true) return 'off';
  const type = declared.type ?? (declared.command === undefined ? 'http' : 'stdio');
  const transport = type === 'streamable-http' ? 'http' : type;
  const needed = transport === 'stdio' ? declared.command : declared.url;
  if (!needed)
    return `a server of type ${transport} needs ${transport === 'stdio' ? 'a command' : 'a url'}`;
  if (transport !== 'stdio' && !/^https?:\/\//i.test(needed))
    return 'its url must begin with http:// or https://';
  const isProgram = transport === 'stdio';
  return {
    id,
    origin,
    transport,
    command: isProgram ? needed : null,
    args: isProgram ? (declared.args ?? []) : [],
    env: isProgram ? (declared.env ?? {}) : {},
    url: isProgram ? null : needed,
    headers: isProgram ? {} : (declared.headers ?? {}),
    allowedTools: declared.allowedTools ?? null,
    disallowedTools: declared.disallowedTools ?? [],
  };
}

/**
 * Reads a map of servers by id, as `mcpServers` of a configuration file holds it. Never throws: one
 * wrong entry hides no other.
 */
export function declaredServers(
  map: unknown,
  origin: McpServer['origin'],
  place: string,
): DeclaredServers {
  const found: DeclaredServers = { servers: [], off: [], notes: [] };
  if (map === undefined) return found;
  if (typeof map !== 'object' || map === null || Array.isArray(map)) {
    return { ...found, notes: [`${place}: mcpServers is not a map and was left out`] };
  }
  for (const [id, declared] of Object.entries(map).slice(0, MAX_SERVERS)) {
    const read = readServer(id, declared, origin);
    if (read === 'off') found.off.push(id);
    else if (typeof read !== 'string') found.servers.push(read);
    else
      found.notes.push(
        `${place}: the server ${JSON.stringify(id.slice(0, 100))} was left out: ${read}`,
      );
  }
  if (Object.keys(map).length > MAX_SERVERS)
    found.notes.push(`${place}: only the first ${MAX_SERVERS} servers are used`);
  return found;
}

/** The same of the text of a JSON file that has a member `mcpServers`. */
export function declaredInText(
  text: string,
  origin: McpServer['origin'],
  place: string,
): DeclaredServers {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return {
      servers: [],
      off: [],
      notes: [`${place} is not valid JSON; its servers were left out`],
    };
  }
  const map =
    typeof root === 'object' && root !== null && 'mcpServers' in root ? root.mcpServers : undefined;
  return declaredServers(map, origin, place);
}
