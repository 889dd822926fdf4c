import { toFields } from '../../src/base/json/untrusted.ts';
import { once } from 'node:events';
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Json } from './jsonBody.ts';
import { deriveScene, type Conversation, type Reply } from './conversation.ts';
import { ModelRequests, type ModelRequest } from './records.ts';
import { selectModelRoute } from './routes.ts';
import type { Failure, Scripts, Step, Call, Scene, Script } from './script.ts';
import { delayFirstByte, sendEvents, sendJson } from './sendEvents.ts';
import { toNamedCall } from './toNamedCall.ts';
import { FIRST_OUTPUT, type Wire } from './wires/wire.ts';

const DONE: Step = { say: 'Done.' };

/** Replies of a list: each that calls something is over when all its calls are answered. */
function pickStep(steps: readonly Step[], answerCount: number): Step {
  let remaining = answerCount;
  for (const step of steps) {
    const calls = step.calls?.length ?? 0;
    if (calls === 0 || remaining < calls) return step;
    remaining -= calls;
  }
  return DONE;
}

const isModelStep = (yielded: Call | Step): yielded is Step =>
  !(
    'svc' in yielded ||
    'server' in yielded ||
    'shell' in yielded ||
    'read' in yielded ||
    'write' in yielded ||
    'tool' in yielded
  );

/** How an agent reports a call that was cut off: whether it was carried out is unknown. */
const CUT_OFF = /^\[(restart|interrupted)\]/;

/** The same conversation always gives the same step. */
export function computeNextStep(script: Script, scene: Scene): Step {
  if (typeof script !== 'function') return pickStep(script, scene.answers.length);
  const play = script(scene);
  let next = play.next();
  for (const answer of scene.answers) {
    if (next.done) break;
    // The call is made once more: the tools of the job do nothing twice, and the commands of plays
    // can be repeated.
    if (CUT_OFF.test(answer.text)) continue;
    next = play.next(answer);
  }
  if (next.done) return typeof next.value === 'string' ? { say: next.value } : next.value;
  return isModelStep(next.value) ? next.value : { calls: [next.value] };
}

/** Largest request, bytes: a conversation near the end of a large window. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
const CHARS_A_TOKEN = 4;

export interface ModelServer {
  /** `http://127.0.0.1:<port>`; OpenAI clients need `/v1` behind it. */
  url: string;
  requests: ModelRequests;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const estimateTokenCount = (value: unknown): number =>
  Math.ceil(JSON.stringify(value).length / CHARS_A_TOKEN);

async function readRequestJson(req: IncomingMessage): Promise<Json> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of req) {
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) throw new Error(`The body is larger than ${MAX_BODY_BYTES} bytes.`);
    parts.push(part);
  }
  return bytes === 0 ? {} : toFields(JSON.parse(Buffer.concat(parts).toString()));
}

/** An answer for an account that is at its limit, whatever was asked. */
export interface Refusal {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

export interface ModelOptions {
  scripts: Scripts;
  /** Asked for each request that a script would answer; null = the script does. Default: null. */
  refusal?(): Refusal | null;
}

/**
 * The answer to requests that belong to no script: an agent asks for a title, a summary, or tests
 * the connection.
 */
const ASIDE: Step = { say: 'All right.' };

/**
 * Without tools the next step could call nothing: such a request is not part of the conversation
 * proper.
 */
const toPlayableStep = (step: Step, { tools }: Conversation): Step =>
  step.calls && tools.length === 0 ? ASIDE : step;

function buildWireReply(
  step: Step,
  conversation: Conversation,
  number: number,
  size: number,
): Reply {
  const calls = (step.calls ?? []).map((call, index) => ({
    id: `call_${number}_${index + 1}`,
    ...toNamedCall(conversation.tools, call),
  }));
  const { think: thinking = '', say: text = '', pieceChars = null } = step;
  const content = { thinking, text, calls };
  return {
    id: `msg_${number}`,
    model: conversation.model,
    ...content,
    pieceChars,
    stop: step.stop ?? (calls.length > 0 ? 'tool_use' : 'end_turn'),
    tokens: step.tokens ?? { input: size, output: estimateTokenCount(content), cached: 0 },
  };
}

class Endpoint {
  readonly requests = new ModelRequests();
  readonly #scripts: Scripts;
  readonly #refusal: () => Refusal | null;
  /** Failures so far, by script and number of answers: the only state between requests. */
  readonly #failures = new Map<string, number>();

  constructor({ scripts, refusal = () => null }: ModelOptions) {
    this.#scripts = scripts;
    this.#refusal = refusal;
  }

  async answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = req;
    const body = await readRequestJson(req);
    const route = selectModelRoute(method, path);
    const conversation = route.ask === 'reply' ? route.conversation(body) : null;
    const scene = conversation && deriveScene(conversation);
    const record = this.requests.add({
      method,
      path,
      headers,
      body,
      script: scene?.marker ?? null,
      offered: conversation?.tools.map(({ name }) => name) ?? [],
    });
    res.once('close', () => {
      record.status = res.headersSent ? res.statusCode : 0;
      record.outcome = res.writableFinished
        ? res.statusCode < 400
          ? 'answered'
          : 'failed'
        : 'disconnected';
      this.requests.changed(record);
    });
    this.requests.changed(record);
    if (route.ask === 'fixed') return sendJson(res, route.status, route.answer);
    if (route.ask === 'count') return sendJson(res, 200, route.answer(estimateTokenCount(body)));
    if (conversation === null) return;
    if (scene === null) return this.#play(res, route.wire, ASIDE, conversation, record);
    const script = this.#scripts[scene.marker];
    if (script === undefined) {
      const known = Object.keys(this.#scripts).join(', ') || 'none';
      return sendJson(
        res,
        400,
        route.wire.failure(400, `There is no script @@${scene.marker}. Scripts: ${known}.`),
      );
    }
    const refused = this.#refusal();
    if (refused !== null) return sendJson(res, refused.status, refused.body, refused.headers);
    const step = computeNextStep(script, scene);
    if (step.fail && this.#stillFails(`${scene.marker}/${scene.answers.length}`, step.fail)) {
      const { status, message = STATUS_CODES[status] ?? 'Overloaded', retryAfter } = step.fail;
      const extra = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
      return sendJson(res, status, route.wire.failure(status, message), extra);
    }
    await this.#play(
      res,
      route.wire,
      toPlayableStep(step, conversation),
      conversation,
      record,
      scene.answers.length,
    );
  }

  #stillFails(
    place: string,
    { times = Number.POSITIVE_INFINITY }: Pick<Failure, 'times'>,
  ): boolean {
    const so = this.#failures.get(place) ?? 0;
    this.#failures.set(place, so + 1);
    return so < times;
  }

  async #play(
    res: ServerResponse,
    wire: Wire,
    step: Step,
    conversation: Conversation,
    record: ModelRequest,
    place = 0,
  ): Promise<void> {
    const reply = buildWireReply(
      step,
      conversation,
      record.number,
      estimateTokenCount(record.body),
    );
    if (!(await delayFirstByte(res, step))) return;
    const tokens = wire.tellsWrites ? reply.tokens : { ...reply.tokens, written: 0 };
    if (conversation.stream) {
      const breaks = this.#stillFails(`cut ${record.script}/${place}`, { times: step.cut ?? 0 });
      return sendEvents(res, wire.events(reply), { ...step, breaks }, ({ tells }) => {
        if (tells) record.reported = tells === 'all' ? tokens : { ...tokens, output: FIRST_OUTPUT };
      });
    }
    record.reported = tokens;
    sendJson(res, 200, wire.whole(reply));
  }
}

const listenOnLoopback = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
};

/**
 * Opens the endpoint on a free port of the loopback address. It speaks Anthropic Messages, OpenAI
 * chat completions and responses, and Gemini's generateContent, each streamed and whole. Which
 * script is played and where it stands follows from each request alone, so retries and side
 * requests of agents cannot use up a step.
 */
export async function openModelServer(options: ModelOptions): Promise<ModelServer> {
  const endpoint = new Endpoint(options);
  const server = createServer((req, res) => {
    endpoint.answer(req, res).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      if (!res.headersSent)
        sendJson(res, 400, { error: { type: 'invalid_request_error', message } });
      else res.destroy();
    });
  });
  const url = await listenOnLoopback(server);
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url, requests: endpoint.requests, close, [Symbol.asyncDispose]: close };
}
