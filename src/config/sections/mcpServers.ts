import Type from 'typebox';
import { Address, ChosenName, entry, folder, Handed, secret, word } from './fieldSchemas.ts';

const ToolNames = Type.Array(Type.String({ ...word }), {
  maxItems: 500,
  description: 'Names of tools.',
});
/** Names of variables and headers. */
const FreeName = Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,127}$' });

const McpServer = Type.Object(
  {
    type: Type.Enum(['stdio', 'http', 'sse'], { description: 'Transport of the server.' }),
    enabled: Type.Boolean({ default: true, description: 'Whether jobs get this server.' }),
    allowedTools: Type.Optional(ToolNames),
    disallowedTools: Type.Optional(ToolNames),
    command: Type.Optional(Type.String({ ...folder, description: 'Program of a stdio server.' })),
    args: Type.Optional(
      Type.Array(Type.String({ maxLength: 4096 }), {
        maxItems: 200,
        ...secret('arguments'),
        description:
          'Arguments of the program. All users of the machine can read them; put secrets in env.',
      }),
    ),
    env: Type.Optional(
      Type.Record(FreeName, Handed('A variable.'), { description: 'Environment of the program.' }),
    ),
    url: Type.Optional(Address('Address of an http or sse server.')),
    headers: Type.Optional(
      Type.Record(FreeName, Handed('A header.'), { description: 'Headers of every request.' }),
    ),
  },
  { additionalProperties: true, ...entry },
);

export const McpServers = Type.Record(ChosenName, McpServer, {
  default: {},
  title: 'Tool servers of jobs',
  description: 'MCP servers by id. The id svc is reserved for the runner and is refused.',
});

export const InheritClaudeCodeMcps = Type.Boolean({
  default: false,
  description: "Whether the servers of the agent tool host's own file are added to every job.",
});
