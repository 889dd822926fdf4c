import type { McpCapabilities, McpServer as AcpServer } from '@agentclientprotocol/sdk';
import type { McpServer } from '../../contract/schema/session/mcpServer.ts';
import type { SessionRequest } from '../../contract/session/executor.ts';
import { toPlainIds } from '../process/toPlainIds.ts';
import { buildBridgeStart, reachServer } from '../process/writeSessionFiles.ts';
import type { Launch } from './presets/preset.ts';

const toNameValuePairs = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

const isNarrowed = ({ allowedTools, disallowedTools }: McpServer): boolean =>
  allowedTools !== null || disallowedTools.length > 0;

/** Names of the agent's variables that hold a secret: its key, its password. */
const listSecretVariables = ({ env, secrets }: Pick<Launch, 'env' | 'secrets'>): string[] =>
  Object.keys(env).filter((name) => secrets.includes(env[name] ?? ''));

/** `hiddenVariables`: variables of the agent that the program does not get; agents pass all of theirs on. */
function toAcpServer(
  name: string,
  { transport, command, args, env, url, headers }: McpServer,
  hiddenVariables: readonly string[],
): AcpServer {
  if (transport === 'stdio') {
    const without = hiddenVariables.filter((name) => env[name] === undefined);
    return without.length === 0
      ? { name, command: command ?? '', args: [...args], env: toNameValuePairs(env) }
      : {
          name,
          command: '/usr/bin/env',
          args: [...without.flatMap((name) => ['-u', name]), command ?? '', ...args],
          env: toNameValuePairs(env),
        };
  }
  return { type: transport, name, url: url ?? '', headers: toNameValuePairs(headers) };
}

interface PassedServers {
  servers: AcpServer[];
  /** Ids of the external servers among them. */
  ids: string[];
  notes: string[];
}

/**
 * The tool servers of a session in the form of the protocol, the runner's own first. A server of
 * which the phase may use only some tools is left out if the agent cannot restrict itself to them:
 * the phase would get more than its list allows. Empty if the agent reads the servers itself.
 */
export function buildAcpServers(
  {
    tools,
    mcpServers,
    sandbox,
    sessionDir,
    env,
  }: Pick<SessionRequest, 'tools' | 'mcpServers' | 'sandbox' | 'sessionDir' | 'env'>,
  can: McpCapabilities,
  {
    narrows,
    readsServers,
    ...launch
  }: Pick<Launch, 'narrows' | 'readsServers' | 'env' | 'secrets'>,
): PassedServers {
  if (readsServers) return { servers: [], ids: mcpServers.map(({ id }) => id), notes: [] };
  const own: AcpServer = sandbox?.bridge
    ? // Some start servers without their own environment.
      {
        name: 'svc',
        ...buildBridgeStart(sessionDir),
        env: toNameValuePairs({ PATH: env.PATH ?? '' }),
      }
    : {
        type: 'http',
        name: 'svc',
        url: tools.url,
        headers: toNameValuePairs({ Authorization: `Bearer ${tools.token}` }),
      };
  const servers: PassedServers = { servers: [own], ids: [], notes: [] };
  const names = toPlainIds(mcpServers.map(({ id }) => id));
  for (const requestedServer of mcpServers) {
    const server = reachServer(requestedServer, { tools, sandbox, sessionDir, env });
    const { id, transport } = server;
    if (transport !== 'stdio' && can[transport] !== true) {
      servers.notes.push(
        `The tool server ${id} was left out: the agent does not support ${transport} servers.`,
      );
    } else if (isNarrowed(server) && !narrows) {
      servers.notes.push(
        `The tool server ${id} was left out: the agent cannot be restricted to some of its tools.`,
      );
    } else {
      servers.servers.push(toAcpServer(names.get(id) ?? id, server, listSecretVariables(launch)));
      servers.ids.push(id);
    }
  }
  return servers;
}
