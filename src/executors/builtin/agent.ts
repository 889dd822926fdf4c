import type { ToolModelMessage } from 'ai';
import type { Clock } from '../../base/time/clock.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import type { QuotaHit } from '../../base/agents/quotaKinds.ts';
import type { SessionFault } from '../../base/errors/sessionFaults.ts';
import type { TurnStop } from '../../base/jobs/stopReasons.ts';
import type { UsageReport } from '../../contract/session/usageReport.ts';
import { CONTINUE_ANSWER, MAX_CUTS } from '../process/cutAnswer.ts';
import type { SessionOutput } from '../process/sessionOutput.ts';
import {
  Arguments,
  formatBuiltinCallDetail,
  toFailedResult,
  type AgentTool,
  type ToolCall,
  type ToolResult,
} from './agentTool.ts';
import { askPatiently, QuotaFault, TurnFault, type Patience } from './askPatiently.ts';
import type { Reply } from './askModel.ts';
import type { Conversation } from './conversation.ts';
import type { LimitsOfModel } from './modelLimits.ts';
import type { TooLong } from '../process/refusal/parseLengths.ts';
import type { SessionInput } from './sessionInput.ts';
import type { OpenModel } from './languageModel.ts';
import type { BuiltinSettings } from './settings.ts';
import { boundText, replaceControlRuns } from '../../base/text/boundedText.ts';

/** `tools.35.custom.input_schema` of Anthropic's endpoint, `tools[35].function.parameters` of others. */
const PLACE = /\btools[.[](\d{1,5})\b/;

/**
 * The tool of an external server that an endpoint's refusal of a request is about, found by its
 * place in the request or by its name; null if the refusal names none. `tools`: in the order sent.
 */
export function findRefusedTool(
  refusal: string,
  tools: readonly AgentTool[],
): (AgentTool & { server: string }) | null {
  const place = PLACE.exec(refusal)?.[1];
  const namedTool =
    place === undefined
      ? tools.find(({ name, server }) => server !== undefined && hasWord(refusal, name))
      : tools[Number(place)];
  return namedTool?.server === undefined ? null : { ...namedTool, server: namedTool.server };
}

const hasWord = (words: string, name: string): boolean => words.split(/[^\w-]+/).includes(name);

/** Most tools of external servers that are left out because the endpoint refuses them. */
const MAX_REFUSED_TOOLS = 20;
/** Longest refusal that the log repeats, characters. */
const MAX_REFUSAL_CHARS = 500;
/** Longest answer of a tool that the model is shown, characters. */
const MAX_ANSWER_CHARS = 60_000;

export type TurnEnd =
  /** `fault`: where an error comes from. */
  | { stopReason: TurnStop; error: string | null; fault?: SessionFault }
  /** The limit that was reached. */
  | { stopReason: 'quota'; error: string | null; hit: QuotaHit };

export interface AgentParts {
  settings: BuiltinSettings;
  modelId: string;
  limits: LimitsOfModel;
  open: OpenModel;
  system: string;
  tools: readonly AgentTool[];
  conversation: Conversation;
  inbox: SessionInput;
  output: SessionOutput;
  clock: Clock;
  patience: Patience;
  onUsage(report: UsageReport, why: string | null): Promise<unknown>;
  /** Why a call may not be carried out; null = it may. Never rejects. */
  refusal(call: ToolCall): Promise<string | null>;
  /** Headers of a good answer, their names in lower case. */
  onHeaders(headers: Readonly<Record<string, string>>): void;
}

const summarizeToolAnswer = (text: string): string =>
  /^[[{]\s*\n/.test(text) ? text.slice(0, 1_000) : (text.split('\n', 1)[0] ?? '');

const toTextOrJson = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

const createTurnEnd = (stopReason: TurnStop): TurnEnd => ({ stopReason, error: null });

/**
 * The agent's loop: asks the model, carries out its calls and answers them, until a reply has no
 * calls.
 */
export class Agent {
  readonly #parts: AgentParts;
  readonly #tools: Map<string, AgentTool>;
  #refusedTools = 0;
  readonly #beside: number;
  /**
   * Messages in the conversation that the model was not asked about yet, or has not begun to
   * answer.
   */
  #undelivered: string[] = [];
  #unacknowledged: string[] = [];

  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.#tools = new Map(parts.tools.map((tool) => [tool.name, tool]));
    const offeredTools = parts.tools.map(({ name, description, inputSchema }) => [
      name,
      description,
      inputSchema,
    ]);
    this.#beside = parts.system.length + JSON.stringify(offeredTools).length;
  }

  /**
   * Runs one turn, which includes what arrives in the inbox meanwhile. Rejects only for our own
   * mistakes.
   */
  async turn(signal: AbortSignal): Promise<TurnEnd> {
    const { settings, conversation, inbox, output } = this.#parts;
    output.turn.turnBegan();
    let cuts = 0;
    for (let requestTokens = 0; requestTokens < settings.maxTurns; requestTokens += 1) {
      for (const { id, text } of inbox.take()) {
        conversation.user(text);
        this.#undelivered.push(id);
      }
      const reply = await this.#ask(signal);
      if ('stopReason' in reply) return reply;
      if (reply.message) conversation.addAnswer(reply.message);
      for (const answers of reply.refused) {
        conversation.answers(answers);
        this.#logRefused(answers);
      }
      for (const call of reply.calls) conversation.answer(call, await this.#answer(call, signal));
      if (signal.aborted) return this.#endInterrupted('');
      cuts = reply.stop === 'cut' ? cuts + 1 : 0;
      if (reply.calls.length > 0 || reply.refused.length > 0 || !inbox.isEmpty) continue;
      if (reply.stop === 'cut' && cuts <= MAX_CUTS) conversation.user(CONTINUE_ANSWER);
      else if (reply.stop === 'cut') return createTurnEnd('max_tokens');
      else if (reply.stop === 'pause') return createTurnEnd('pause_turn');
      else if (reply.stop === 'refusal') return createTurnEnd('refusal');
      else return createTurnEnd(output.turn.isEmpty ? 'empty' : 'end_turn');
    }
    return {
      stopReason: 'max_turns',
      error: `The agent asked its model ${settings.maxTurns} times in one turn, the most that plugins.installed.builtin.config.maxTurns allows.`,
    };
  }

  #endInterrupted(partial: string): TurnEnd {
    this.#parts.conversation.addInterrupted(partial);
    return createTurnEnd('interrupted');
  }

  async #ask(signal: AbortSignal): Promise<Reply | TurnEnd> {
    const {
      settings,
      modelId,
      limits,
      open,
      system,
      conversation,
      output,
      clock,
      patience,
      onUsage,
      onHeaders,
    } = this.#parts;
    if (signal.aborted) return this.#endInterrupted('');
    const makeRoom = (problem: TooLong | null): boolean => {
      const room = conversation.makeRoom(limits.window(settings), this.#beside, problem);
      if (room === null) return false;
      output.control(room.line);
      output.noteFold(room.freed);
      return true;
    };
    makeRoom(null);
    let partial = '';
    try {
      const reply = await askPatiently({
        settings,
        modelId,
        clock,
        patience,
        signal,
        limits,
        makeRoom,
        say: (line) => output.control(line),
        question: () => {
          partial = '';
          output.turn.answerBegan();
          this.#reportDelivered();
          return {
            open,
            system,
            tools: [...this.#tools.values()],
            messages: conversation.messages,
            maxOutputTokens: limits.output(settings),
            onPart: async ({ kind, text }) => {
              this.#reportAcknowledged();
              if (kind === 'text') {
                partial += text;
                output.pushToken(text);
              } else if (kind === 'thinking') output.pushThinking(text);
              else if (kind === 'end of text') output.endOfMessage();
              // Parts that are not yet stored fill the memory.
              await output.kept;
            },
            onUsage,
            onHeaders,
          };
        },
        onBroken: () => output.endOfMessage(),
      });
      this.#reportAcknowledged();
      if (reply.usage) conversation.calibrate(reply.usage, this.#beside);
      return reply;
    } catch (error) {
      if (signal.aborted) return this.#endInterrupted(partial);
      if (error instanceof QuotaFault)
        return { stopReason: 'quota', error: error.message, hit: error.hit };
      if (error instanceof TurnFault && this.#leaveOut(error)) return this.#ask(signal);
      if (error instanceof TurnFault)
        return { stopReason: 'error', error: error.message, fault: error.fault };
      throw error;
    }
  }

  /**
   * Leaves out the external server's tool that the endpoint refuses; the session continues without
   * it. False = the refusal is about something else.
   */
  #leaveOut({ fault, message }: TurnFault): boolean {
    const tool =
      fault === 'request-refused' ? findRefusedTool(message, [...this.#tools.values()]) : null;
    if (tool === null || this.#refusedTools >= MAX_REFUSED_TOOLS) return false;
    this.#refusedTools += 1;
    this.#tools.delete(tool.name);
    this.#parts.output.control(
      `The tool ${tool.name} of the tool server ${tool.server} is left out, and the request is repeated without it. ${message.slice(0, MAX_REFUSAL_CHARS)}`,
    );
    return true;
  }

  #reportDelivered(): void {
    for (const id of this.#undelivered)
      this.#parts.output.tell({ type: 'message', id, state: 'delivered' });
    this.#unacknowledged.push(...this.#undelivered);
    this.#undelivered = [];
  }

  #reportAcknowledged(): void {
    for (const id of this.#unacknowledged)
      this.#parts.output.tell({ type: 'message', id, state: 'acknowledged' });
    this.#unacknowledged = [];
  }

  async #answer(call: ToolCall, signal: AbortSignal): Promise<ToolResult> {
    if (signal.aborted)
      return toFailedResult('[interrupted] The turn was stopped before this call was begun.');
    const { output } = this.#parts;
    const { id, name } = call;
    output.tool(
      { at: 'start', id, name, ok: true, detail: formatBuiltinCallDetail(call) },
      call.input,
    );
    const result = await this.#carryOut(call, signal);
    // The model's endpoint gets this text: it may contain no secret of the session.
    const text = boundText(replaceControlRuns(output.screen(result.text)), MAX_ANSWER_CHARS);
    output.tool(
      { at: 'end', id, name, ok: !result.failed, detail: summarizeToolAnswer(text) },
      text,
    );
    await output.kept;
    return { text, failed: result.failed };
  }

  /** Calls that could not be carried out: an unknown tool, or arguments that are not JSON. */
  #logRefused({ content }: ToolModelMessage): void {
    const { output } = this.#parts;
    for (const part of content) {
      if (part.type !== 'tool-result') continue;
      const { toolCallId: id, toolName: name, output: answer } = part;
      const why = 'value' in answer ? toTextOrJson(answer.value) : 'refused';
      output.tool({ at: 'start', id, name, ok: true, detail: 'refused' }, why);
      output.tool({ at: 'end', id, name, ok: false, detail: summarizeToolAnswer(why) });
    }
  }

  async #carryOut(call: ToolCall, signal: AbortSignal): Promise<ToolResult> {
    const { name, input } = call;
    try {
      const tool = this.#tools.get(name);
      if (!tool) return toFailedResult(`The tool ${name} does not exist.`);
      const callRefusal = await this.#parts.refusal(call);
      return callRefusal === null
        ? await tool.run(new Arguments(input), signal)
        : toFailedResult(callRefusal);
    } catch (error) {
      if (signal.aborted)
        return toFailedResult(
          '[interrupted] The call was stopped. Whether it was carried out is unknown.',
        );
      return toFailedResult(toErrorMessage(error));
    }
  }
}
