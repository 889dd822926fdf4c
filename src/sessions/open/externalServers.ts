import type { SessionRequest } from '../../contract/session/executor.ts';
import type { SessionSandbox } from '../../contract/session/sandbox.ts';
import type { SessionRef } from '../../contract/session/sessionRef.ts';
import type { ResolvedServers } from '../../workflows/toolServers/serverSource.ts';
import type { McpServer } from '../../contract/schema/session/mcpServer.ts';
import { listNamedServers } from '../../executors/tools/catalogue/toolAllowlist.ts';
import type { OpenToolServer } from '../../executors/tools/host/createToolHost.ts';
import type { ToolList } from '../../executors/tools/catalogue/toolPatterns.ts';
import type { OpenedServers } from '../../executors/toolServers/connection/openServers.ts';
import type { OpenSessionDeps } from './openSessionDeps.ts';

type FaultKind = OpenedServers['failed'][number]['kind'];

/** The session was interrupted while its tool servers started. */
export class CutShort extends Error {}

/** The session must not run without these servers, whose tools the phase lists. */
export class MissingServers extends Error {
  readonly kind: FaultKind;

  constructor(kind: FaultKind, message: string) {
    super(message);
    this.name = 'MissingServers';
    this.kind = kind;
  }
}

interface MissingServer {
  id: string;
  kind: FaultKind;
  why: string;
}

export interface ExternalServers {
  /** As the agent finds them: each is served by the runner. */
  servers: readonly McpServer[];
  close(): Promise<void>;
}

interface OpenExternal {
  ref: SessionRef;
  tools: ToolList;
  declared: ResolvedServers;
  request: Pick<
    SessionRequest,
    'mcpServers' | 'cwd' | 'env' | 'marker' | 'tools' | 'phase' | 'screen'
  >;
  sandbox: SessionSandbox | undefined;
  host: Pick<OpenToolServer, 'serve'>;
  signal: AbortSignal;
}

const NONE: ExternalServers = { servers: [], close: async () => {} };

/** Which action is needed if several servers are missing: a person's comes first. */
const KINDS: readonly FaultKind[] = ['server-refused', 'server-not-started', 'server-away'];

/** Listed servers that are not declared, wrongly declared, or declared for others. */
function findUndeclaredServers({ tools, declared, request }: OpenExternal): MissingServer[] {
  const { unusable = [], off = [] } = declared;
  return listNamedServers(tools)
    .filter((id) => !request.mcpServers.some((server) => server.id === id) && !off.includes(id))
    .map((id) => ({
      id,
      kind: 'server-refused',
      why:
        unusable.find((one) => one.id === id)?.why ??
        'neither the configuration nor a trusted repository declares it',
    }));
}

function requireServers(phase: string, missing: readonly MissingServer[]): void {
  const kind = KINDS.find((one) => missing.some((server) => server.kind === one));
  if (kind === undefined) return;
  const reasons = missing.map(({ id, why }) => `${id}: ${why}`);
  throw new MissingServers(
    kind,
    `Phase ${phase} lists tools of ${missing.length === 1 ? 'a tool server' : 'tool servers'} that cannot be used. ${reasons.join('; ')}.`,
  );
}

/** Log lines about listed tools that their server does not offer. */
const listUnofferedTools = (tools: ToolList, { opened }: OpenedServers): string[] =>
  opened.flatMap(({ server, tools: namedTools }) => {
    const prefix = `mcp__${server.id}__`;
    const listedNames = (tools ?? []).filter((name) => name.startsWith(prefix));
    const missing = listedNames
      .map((name) => name.slice(prefix.length))
      .filter((name) => !namedTools.some((one) => one.name === name || one.tool.name === name));
    return missing.length === 0
      ? []
      : [
          `The tool server ${server.id} does not offer ${missing.join(', ')}, which the phase lists.`,
        ];
  });

/**
 * Connects to the external tool servers of a session and serves them to its agent. An unusable
 * server is left out with a log line; if the phase lists its tools, MissingServers is thrown
 * instead. Throws CutShort if `signal` is aborted.
 */
export async function openExternalServers(
  deps: Pick<OpenSessionDeps, 'clock' | 'log' | 'baseUrl' | 'screen'>,
  options: OpenExternal,
): Promise<ExternalServers> {
  const { ref, tools, request, sandbox, host, signal } = options;
  const { mcpServers, cwd, env, marker, phase } = request;
  requireServers(phase, findUndeclaredServers(options));
  if (mcpServers.length === 0) return NONE;
  const log = (lines: readonly string[]): Promise<void> =>
    deps.log(
      ref,
      lines.map((line) => ({ from: 'runner', tag: 'mcp', line })),
    );
  // The client is a tenth of the program, so sessions without external servers do not load it.
  const [{ openServers }, { serveTools }] = await Promise.all([
    import('../../executors/toolServers/connection/openServers.ts'),
    import('../../executors/toolServers/tools/serveTools.ts'),
  ]);
  const place = {
    clock: deps.clock,
    cwd,
    env,
    marker,
    screen: deps.screen,
    ...(sandbox ? { wrap: sandbox.wrap } : {}),
  };
  const all = await openServers(mcpServers, place, { signal }).catch((error: unknown) => {
    throw signal.aborted ? new CutShort('the session is over') : error;
  });
  const close = async (): Promise<void> => {
    await Promise.all(all.opened.map(({ connection }) => connection.close()));
  };
  try {
    const serverIds = listNamedServers(tools);
    const isListed = ({ server }: { server: McpServer }) => serverIds.includes(server.id);
    await log([
      ...all.lines,
      ...listUnofferedTools(tools, all),
      ...all.failed
        .filter((one) => !isListed(one))
        .map(
          ({ server, why }) =>
            `The tool server ${server.id} is not available, so its tools are missing: ${why}`,
        ),
    ]);
    requireServers(
      phase,
      all.failed.filter(isListed).map(({ server, kind, why }) => ({ id: server.id, kind, why })),
    );
  } catch (error) {
    await close();
    throw error;
  }
  const servers = all.opened.map((one): McpServer => {
    const { id, origin } = one.server;
    const path = host.serve(id, serveTools(one, { onLost: (line) => void log([line]) }));
    return {
      id,
      origin,
      transport: 'http',
      command: null,
      args: [],
      env: {},
      url: `${deps.baseUrl()}${path}`,
      headers: { Authorization: `Bearer ${request.tools.token}` },
      // The runner only offers allowed tools.
      allowedTools: null,
      disallowedTools: [],
    };
  });
  return { servers, close };
}
