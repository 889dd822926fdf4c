import type {
  ClientConnection,
  InitializeResponse,
  NewSessionRequest,
} from '@agentclientprotocol/sdk';
import type { AgentProcess } from '../process/agentProcess.ts';
import type { SessionRequest } from '../../contract/session/executor.ts';
import type { SessionOutput } from '../process/sessionOutput.ts';
import { toFields, toStringOrEmpty, type Fields } from '../../base/json/untrusted.ts';
import { CONTINUE_ANSWER } from '../process/cutAnswer.ts';
import { buildAcpServers } from './buildAcpServers.ts';
import { createMessageStream } from './createMessageStream.ts';
import { explainCallRefusal } from '../process/toOwnCall.ts';
import { answerPermission, readAskedCall, isPermitted } from './permissions.ts';
import type { AcpLaunchPlan } from './planAcpLaunch.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import type { TurnStop } from '../../base/jobs/stopReasons.ts';

export type PromptEnd = [stop: TurnStop, error: string | null];

const STOPS: Readonly<Record<string, TurnStop>> = {
  end_turn: 'end_turn',
  cancelled: 'interrupted',
  max_tokens: 'max_tokens',
  max_turn_requests: 'max_turns',
  refusal: 'refusal',
};

/**
 * Finish reasons of opencode's server for answers that its protocol reports as the end of a turn.
 */
const FINISHES: Readonly<Record<string, TurnStop>> = {
  length: 'max_tokens',
  'content-filter': 'refusal',
};

/** How a prompt ended. `finish`: reason of its last answer; empty = unknown. */
export function readPromptEnd(stopReason: string, finish: string, isEmpty: boolean): PromptEnd {
  const stop = STOPS[stopReason];
  if (stop === undefined)
    return ['error', `The agent ended its turn for an unknown reason: ${stopReason}.`];
  if (stop !== 'end_turn') return [stop, null];
  return [FINISHES[finish] ?? (isEmpty ? 'empty' : 'end_turn'), null];
}

/**
 * The agent's error as text: `data` says more than the message, which is often `Internal error`.
 */
export function formatAcpError(error: unknown): string {
  const { data } = toFields(error);
  const { details, message } = toFields(data);
  const more = [data, details, message].map(toStringOrEmpty).find((text) => text !== '') ?? '';
  const errorText = toErrorMessage(error);
  return more === '' || errorText.includes(more) ? errorText : `${errorText}: ${more}`;
}

/** Statuses of an endpoint that does not take the key. */
const REFUSED = [401, 403];

/** The error of a turn, with the setting of the key if the endpoint refuses the key. */
export const addKeyAdvice = (status: number, text: string, setting: string): string =>
  REFUSED.includes(status)
    ? `The model's endpoint refuses the key (${status}): ${text.replace(/^Internal error: /, '')}. Check ${setting} and the address in plugins.installed.acp.config.`
    : text;

interface LinkOptions {
  request: SessionRequest;
  plan: AcpLaunchPlan;
  process: AgentProcess;
  output: SessionOutput;
  rejectsAll: boolean;
  onUpdate(update: Fields): void;
}

interface OpenedSession {
  sessionId: string;
  resumable: boolean;
  servers: readonly string[];
}

/** Speaks the protocol with one agent: one session, one prompt at a time. */
export class AgentLink {
  readonly #options: LinkOptions;
  #connection: ClientConnection | null = null;
  #opened: OpenedSession | null = null;
  /** Why rules refused calls; an answer of the protocol has no place for it. */
  #reasons: string[] = [];
  /** The agent sends old messages again while it loads a session; they are ignored. */
  #replaying = false;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /**
   * Whether an answer comes from the agent: the end of the connection answers everything with an
   * error.
   */
  get isOpen(): boolean {
    return this.#connection?.signal.aborted === false;
  }

  /**
   * Connects, signs in and opens or continues a session. Rejects with an error that people can
   * read.
   */
  async open(): Promise<OpenedSession> {
    const { request, plan, process, output, rejectsAll } = this.#options;
    const acp = await import('@agentclientprotocol/sdk');
    const { stdin, stdout } = process.child;
    const stream = createMessageStream({
      stdin,
      stdout,
      onUpdate: (params) => this.#update(toFields(params)),
      onNoise: (line) => {
        process.noteNoise(line);
        output.lines('stdout', line);
      },
      awaitKept: () => output.kept,
    });
    const connection = acp
      .client({ name: 'svc' })
      .onRequest('session/request_permission', async ({ params }) => {
        const serverIds = this.#opened?.servers ?? [];
        const servers = request.mcpServers.filter(({ id }) => serverIds.includes(id));
        const isListed = !rejectsAll && isPermitted(params.toolCall, servers, request.builtInTools);
        const refusal = isListed
          ? await explainCallRefusal(request, readAskedCall(params.toolCall, servers))
          : null;
        if (refusal !== null) this.#noteRefusal(refusal);
        const isAllowed = isListed && refusal === null;
        // Some agents report nothing more about an allowed call until it is over.
        const startedCall = {
          ...params.toolCall,
          sessionUpdate: 'tool_call',
          status: 'in_progress',
        };
        if (isAllowed) this.#update({ sessionId: params.sessionId, update: startedCall });
        return answerPermission(params, isAllowed);
      })
      .connect(stream);
    this.#connection = connection;
    const { agent } = connection;
    const hello = await agent.request('initialize', {
      protocolVersion: acp.PROTOCOL_VERSION,
      clientCapabilities: {},
      clientInfo: { name: 'svc', version: '1' },
    });
    const can = hello.agentCapabilities?.mcpCapabilities ?? {};
    if (can.http !== true && !request.sandbox?.bridge)
      throw new Error(
        'The agent cannot use tool servers over HTTP, so it could not change its job.',
      );
    if (plan.authMethod !== null)
      await agent.request('authenticate', { methodId: plan.authMethod });
    const acpServers = buildAcpServers(request, can, plan);
    for (const note of [...plan.notes, ...acpServers.notes]) output.control(note);
    const order: NewSessionRequest = {
      cwd: request.cwd,
      mcpServers: acpServers.servers,
      ...(plan.meta === null ? {} : { _meta: plan.meta }),
    };
    const sessionId =
      (await this.#tryResume(hello, order)) ??
      (await agent.request('session/new', order)).sessionId;
    this.#opened = { sessionId, resumable: isResumable(hello), servers: acpServers.ids };
    if (plan.mode !== null)
      await agent.request('session/set_mode', { sessionId, modeId: plan.mode });
    return this.#opened;
  }

  prompt(texts: readonly string[]): Promise<{ stopReason: string }> {
    const prompt = texts.map((text) => ({ type: 'text' as const, text }));
    return this.#agent().request('session/prompt', { sessionId: this.#sessionId(), prompt });
  }

  /** The next prompt after such an end when no one has sent a message; null = none. */
  followUp([stopReason]: PromptEnd): string | null {
    if (stopReason === 'max_tokens') return CONTINUE_ANSWER;
    return (stopReason === 'end_turn' && this.takeReasons().join('\n\n')) || null;
  }

  takeReasons(): string[] {
    return this.#reasons.splice(0);
  }

  #noteRefusal(reason: string): void {
    this.#options.output.control(reason);
    this.#reasons.push(reason);
  }

  cancel(): void {
    // The agent is gone: there is nothing to cancel.
    void this.#agent()
      .notify('session/cancel', { sessionId: this.#sessionId() })
      .catch(() => {});
  }

  close(): void {
    this.#connection?.close();
  }

  async #tryResume(hello: InitializeResponse, order: NewSessionRequest): Promise<string | null> {
    const sessionId = this.#options.request.resume;
    if (sessionId === null) return null;
    try {
      if (hello.agentCapabilities?.sessionCapabilities?.resume) {
        await this.#agent().request('session/resume', { ...order, sessionId });
        return sessionId;
      }
      if (hello.agentCapabilities?.loadSession !== true)
        throw new Error('it cannot continue a session');
      this.#replaying = true;
      await this.#agent().request('session/load', { ...order, sessionId });
      return sessionId;
    } catch (error) {
      this.#options.output.control(
        `The agent's earlier session could not be continued (${formatAcpError(error)}); a new one is started.`,
      );
      return null;
    } finally {
      this.#replaying = false;
    }
  }

  #update({ sessionId, update }: Fields): void {
    if (!this.#replaying && toStringOrEmpty(sessionId) === this.#opened?.sessionId)
      this.#options.onUpdate(toFields(update));
  }

  #agent(): ClientConnection['agent'] {
    if (this.#connection === null) throw new Error('There is no agent yet.');
    return this.#connection.agent;
  }

  #sessionId(): string {
    if (this.#opened === null) throw new Error('There is no session yet.');
    return this.#opened.sessionId;
  }
}

const isResumable = ({ agentCapabilities }: InitializeResponse): boolean =>
  agentCapabilities?.loadSession === true ||
  Boolean(agentCapabilities?.sessionCapabilities?.resume);
