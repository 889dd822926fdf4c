import Type from 'typebox';
import { LONGEST_START_MS, SHORTEST_START_MS } from '../../../base/limits/inputLimits.ts';
import {
  Address,
  ChosenName,
  entry,
  folder,
  HandedSecret,
  markSecret,
  word,
} from './fieldSchemas.ts';

const ToolNames = Type.Array(Type.String({ ...word }), {
  maxItems: 500,
  description: 'Names of tools.',
});
const FreeName = Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,127}$' });

const VariableName = Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,127}$' });

const McpServer = Type.Object(
  {
    type: Type.Optional(
      Type.Enum(['stdio', 'http', 'sse'], {
        description:
          'Transport of the server. Left out: the entry declares no server, and its other keys are for the server with this id that a repository declares.',
      }),
    ),
    enabled: Type.Boolean({ default: true, description: 'Whether jobs get this server.' }),
    timeoutMs: Type.Optional(
      Type.Integer({
        minimum: SHORTEST_START_MS,
        maximum: LONGEST_START_MS,
        description:
          'Longest time for the server to start and to list its tools, in milliseconds. Default 30000. Counts before `timeout` in a .mcp.json.',
      }),
    ),
    allowedEnv: Type.Optional(
      Type.Array(VariableName, {
        maxItems: 100,
        description:
          "Names of variables of the runner's environment that this server's declaration may refer to, as Claude Code writes it: a dollar sign and the name in braces. Variables of svc itself are refused.",
      }),
    ),
    allowedTools: Type.Optional(ToolNames),
    disallowedTools: Type.Optional(ToolNames),
    command: Type.Optional(Type.String({ ...folder, description: 'Program of a stdio server.' })),
    args: Type.Optional(
      Type.Array(Type.String({ maxLength: 4096 }), {
        maxItems: 200,
        ...markSecret('arguments'),
        description:
          'Arguments of the program. All users of the machine can read them; put secrets in env.',
      }),
    ),
    env: Type.Optional(
      Type.Record(FreeName, HandedSecret('A variable.'), {
        description: 'Environment of the program.',
      }),
    ),
    url: Type.Optional(Address('Address of an http or sse server.')),
    headers: Type.Optional(
      Type.Record(FreeName, HandedSecret('A header.'), {
        description: 'Headers of every request.',
      }),
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
