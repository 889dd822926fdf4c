import { MARKER_VARIABLE } from '../../process/processTable.ts';
import { DEFAULT_START_MS } from '../../../base/limits/inputLimits.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { screenSecrets } from '../../../base/secrets/screenSecrets.ts';
import type { McpServer } from '../../../contract/schema/session/mcpServer.ts';
import { createSse, createStreamable } from '../transport/httpTransport.ts';
import { ServerConnection } from './serverConnection.ts';
import { StdioTransport } from '../transport/stdioTransport.ts';

interface Start {
  program: string;
  args: readonly string[];
}

export interface ServerPlace {
  clock: Clock;
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Marks their processes; left out = no mark. */
  marker?: string;
  /** Confines a program; left out = it is not confined. */
  wrap?(start: Start, cwd: string): Start;
  /** Removes the runner's secrets from a text; left out = none are known. */
  screen(text: string): string;
}

export function screenServer(
  { env, headers, secrets = [] }: McpServer,
  { screen }: Pick<ServerPlace, 'screen'>,
): (text: string) => string {
  const own = screenSecrets([...secrets, ...Object.values(env), ...Object.values(headers)]);
  return (text) => screen(own(text));
}

export function createServerConnection(server: McpServer, place: ServerPlace): ServerConnection {
  const { transport, url, headers, timeoutMs = DEFAULT_START_MS } = server;
  const { clock } = place;
  const screen = screenServer(server, place);
  if (transport === 'stdio') {
    const { cwd, env, marker, wrap } = place;
    const start = { program: server.command ?? '', args: server.args };
    const markerVariable = marker === undefined ? {} : { [MARKER_VARIABLE]: marker };
    const create = () =>
      new StdioTransport({
        ...(wrap?.(start, cwd) ?? start),
        cwd,
        env: { ...env, ...server.env, ...markerVariable },
        clock,
      });
    return new ServerConnection({ transports: [create], clock, startMs: timeoutMs, screen });
  }
  const address = { url: url ?? '', headers, clock };
  const streamable = () => createStreamable(address);
  const sse = () => createSse(address);
  const transports = transport === 'sse' ? [sse, streamable] : [streamable, sse];
  return new ServerConnection({ transports, clock, startMs: timeoutMs, screen });
}
