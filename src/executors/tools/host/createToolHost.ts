import { digestSha256, type Ids } from '../../../base/system/ids/ids.ts';
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AwaySince } from '../../../base/concurrency/unlessAway.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { discardBody, readBody } from '../../../base/system/network/requestBody.ts';
import type { AgentJob } from '../../../contract/job/agentJob.ts';
import type { ReadTool } from '../../../contract/planning/chat.ts';
import type { CallProblem } from './callProblem.ts';
import { ChatTools } from './chatTools.ts';
import type { McpTools, ListedTool } from './answerMcp.ts';
import { PHASE_OVER, PhaseTools, type CallGuard, type CallWatch } from './phaseTools.ts';
import type { Tool } from '../tool.ts';
import type { OwnProviders, ToolList } from '../catalogue/toolPatterns.ts';
import { ERROR_CODES, type ErrorCode } from '../../../base/errors/errors.ts';
import { ALIAS_META } from './structuredMeta.ts';

const INSTRUCTIONS =
  'Tools of one phase of a job of the svc runner. When an answer says to end your turn, end it: what was asked for happens after the session.';

const toListedTool = (
  { name, title, description, input, hints }: Tool,
  alias: string | null,
): ListedTool => ({
  name,
  title,
  description,
  inputSchema: { ...input, type: 'object' },
  annotations: { title, ...hints },
  ...(alias === null ? {} : { _meta: { [ALIAS_META]: alias } }),
});

const createPhaseMcp = (phase: PhaseTools): McpTools => ({
  instructions: INSTRUCTIONS,
  list: async (isProgram) =>
    (await phase.listOffered()).map((tool) =>
      toListedTool(tool, isProgram ? phase.alias(tool.name) : null),
    ),
  call: (name, args, abortSignal) => phase.call(name, args, abortSignal),
});

/**
 * Answers with an RFC 9457 problem document in the common form; the caller has numbered the
 * request.
 */
function sendProblem(
  res: ServerResponse,
  code: ErrorCode,
  detail: string,
  headers: Record<string, string> = {},
): void {
  const [status, title] = ERROR_CODES[code];
  const requestId = res.getHeader('X-Request-Id');
  res.writeHead(status, { 'content-type': 'application/problem+json', ...headers });
  res.end(
    JSON.stringify({ type: `urn:svc:problem:${code}`, title, status, detail, code, requestId }),
  );
}

export interface ToolHost {
  /** Tools of configured services, for every session. */
  readonly services: readonly Tool[];
  /**
   * Opens the tool server of one session, with its own path and token; `forges`: ids of the
   * providers, `allowed`: names of the phase's tools (null, the default = all; log and escalate
   * always), `own`: the job's providers, for `scm_<verb>` (default none). `onDeprecated` gets the
   * name of each tool that is called by an older name.
   */
  open(
    port: AgentJob,
    options: {
      forges: readonly string[];
      allowed?: ToolList;
      own?: OwnProviders;
      guard?: CallGuard;
      watch?: CallWatch;
      onOutcome?: (problem: CallProblem | null) => void;
      callsOf?: number;
      onDeprecated?: (tool: string) => void;
    },
  ): OpenToolServer;
  /**
   * Opens the tool server of one turn of a plan-mode chat, with its own path and token: only these
   * tools, none of a job.
   */
  openChat(tools: readonly ReadTool[]): OpenChatServer;
  /**
   * Answers a request to `/mcp/<id>` or `/mcp/<id>/<server>` after the Host and Origin checks.
   * `body` is the parsed JSON, or undefined when the stream has not been read. 401 without the
   * session's token, 404 for a session that is over.
   */
  handle(req: IncomingMessage, res: ServerResponse, body: unknown): Promise<void>;
  has(path: string): boolean;
  isToken(token: string): boolean;
}

interface OpenPath {
  path: string;
  token: string;
}

export interface OpenChatServer extends OpenPath {
  /** Refuses every call from now on and stops running look-ups. */
  close(): void;
}

export interface OpenToolServer extends OpenPath {
  /**
   * Serves the tools of an external server to this session too, with the same token. Returns the
   * path.
   */
  serve(id: string, tools: McpTools): string;
  /** Makes new calls wait until `release`; running ones continue. */
  hold(): void;
  release(): void;
  /** Refuses every call from now on; running calls are answered with the phase's end. */
  close(): Promise<void>;
}

/**
 * Most bytes of one request: 8 MiB. A text of 1 MiB, the longest that a tool takes, may be six
 * times as long as JSON.
 */
export const MAX_CALL_BYTES = 8 * 1024 * 1024;

/** The protocol itself refuses invalid JSON. */
function parseRequestBytes(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

interface OpenSession {
  tools: McpTools;
  tokenDigest: Buffer;
}

function mayCall({ tokenDigest }: OpenSession, authorization: string | undefined): boolean {
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
  // Digests have equal length, so the comparison reveals nothing about the token, not even its
  // length.
  return token !== undefined && timingSafeEqual(digestSha256(token), tokenDigest);
}

export interface ToolHostOptions {
  ids: Ids;
  clock: Clock;
  awaySince: AwaySince;
  /** Receives errors that an agent must not see, such as bugs in tools. */
  onError(where: string, error: unknown): void;
  /** Removes known secrets from arguments and answers. Default: removes nothing. */
  screen(text: string): string;
  /** Makes invisible characters in foreign text visible. */
  visible(text: string): string;
  /** Tools of configured services; read again for each session. Default none. */
  services?(): readonly Tool[];
}

export function createToolHost({
  ids,
  onError,
  services = () => [],
  ...options
}: ToolHostOptions): ToolHost {
  const sessions = new Map<string, OpenSession>();
  const openPath = (tools: McpTools): OpenPath => {
    const path = `/mcp/${ids.next()}`;
    const token = ids.secret();
    sessions.set(path, { tools, tokenDigest: digestSha256(token) });
    return { path, token };
  };
  const dropQuery = (url: string | undefined): string => (url ?? '').split('?', 1)[0] ?? '';

  return {
    get services() {
      return services();
    },
    open(port, { forges, allowed = null, own, guard, watch, onOutcome, callsOf, onDeprecated }) {
      const phase = new PhaseTools(port, forges, onError, {
        ...options,
        allowed,
        services: services(),
        ...(own ? { own } : {}),
        ...(guard ? { guard } : {}),
        ...(watch ? { watch } : {}),
        ...(onOutcome ? { onOutcome } : {}),
        ...(onDeprecated ? { onDeprecated } : {}),
        ...(callsOf === undefined ? {} : { callsOf }),
      });
      const { path, token } = openPath(createPhaseMcp(phase));
      const paths: string[] = [];
      return {
        path,
        token,
        serve(id, tools) {
          const at = `${path}/${encodeURIComponent(id)}`;
          sessions.set(at, { tools, tokenDigest: digestSha256(token) });
          paths.push(at);
          return at;
        },
        hold: () => phase.hold(),
        release: () => phase.release(),
        async close() {
          for (const at of [path, ...paths]) sessions.delete(at);
          phase.close();
        },
      };
    },

    openChat(tools) {
      const chat = new ChatTools(tools, options.screen);
      const { path, token } = openPath(chat);
      return {
        path,
        token,
        close() {
          sessions.delete(path);
          chat.close();
        },
      };
    },

    has: (path) => sessions.has(path),
    isToken: (token) => {
      const digest = digestSha256(token);
      return [...sessions.values()].some(({ tokenDigest }) => timingSafeEqual(digest, tokenDigest));
    },

    async handle(req, res, body) {
      const session = sessions.get(dropQuery(req.url));
      if (!session)
        return sendProblem(res, 'not-found', `No session has its tools here. ${PHASE_OVER}`);
      if (!mayCall(session, req.headers.authorization)) {
        return sendProblem(
          res,
          'unauthorized',
          'The tool server requires the bearer token of its session, as in mcp.json in the session folder.',
          {
            'www-authenticate': 'Bearer',
          },
        );
      }
      // A stateless server has nothing to stream or delete; clients continue without after this
      // answer.
      if (req.method !== 'POST')
        return sendProblem(res, 'method-not-allowed', 'The tool server accepts POST only.', {
          allow: 'POST',
        });
      // The protocol is a tenth of the program: a start without a session does not load it.
      const { answerMcp } = await import('./answerMcp.ts');
      if (body !== undefined) return answerMcp(session.tools, req, res, body);
      const bytes = await readBody(req, MAX_CALL_BYTES);
      if (bytes === null) {
        await discardBody(req);
        return sendProblem(
          res,
          'too-large',
          `A tool call may have at most ${MAX_CALL_BYTES} bytes.`,
        );
      }
      await answerMcp(session.tools, req, res, parseRequestBytes(bytes));
    },
  };
}
