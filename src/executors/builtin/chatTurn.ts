import type { ModelMessage, ToolModelMessage } from 'ai';
import type { ChatRequest, ChatResult, ChatRun, ReadTool } from '../../contract/planning/chat.ts';
import type { Usage } from '../../contract/schema/session/usage.ts';
import { MAX_LOOKUP_CHARS } from '../../base/limits/intakeLimits.ts';
import { boundText, replaceControlRuns } from '../../base/text/boundedText.ts';
import type { Clock } from '../../base/time/clock.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import { addUsage } from '../../base/spending/usageSum.ts';
import { Arguments, toFailedResult, type ToolCall, type ToolResult } from './agentTool.ts';
import { readHeaderUse } from '../process/quota/readHeaderWindows.ts';
import { askPatiently, type Patience, QuotaFault, TurnFault } from './askPatiently.ts';
import type { Reply } from './askModel.ts';
import { ChatParts } from './chatParts.ts';
import { Conversation } from './conversation.ts';
import { type OpenModel, openModel } from './languageModel.ts';
import type { LimitsOfModel } from './modelLimits.ts';
import type { TooLong } from '../process/refusal/parseLengths.ts';
import type { BuiltinSettings } from './settings.ts';

export interface ChatTurnOptions {
  request: ChatRequest;
  settings: BuiltinSettings;
  modelId: string;
  limits: LimitsOfModel;
  clock: Clock;
  patience: Patience;
}

type End = Pick<ChatResult, 'stop' | 'error' | 'resetsAt' | 'quota'>;

const createChatEnd = (stop: ChatResult['stop'], error: string | null = null): End => ({
  stop,
  error,
  resetsAt: null,
});

const createQuotaChatEnd = ({
  message: error,
  hit: { kind, window, resetsAt },
}: QuotaFault): End => ({
  stop: 'quota',
  error,
  resetsAt,
  quota: { kind, window },
});

/** Most look-ups of one answer that run at the same time. */
const MAX_AT_ONCE = 8;

const EMPTY = 'The model answered with neither text nor a look-up.';

/**
 * One turn of a plan-mode chat in the runner's own process: the model is asked and its look-ups are
 * answered until a reply has none. It has only the tools of the request, and nothing is stored on
 * disk.
 */
export class ChatTurn implements ChatRun {
  readonly result: Promise<ChatResult>;
  readonly #options: ChatTurnOptions;
  readonly #parts: ChatParts;
  readonly #tools: ReadonlyMap<string, ReadTool>;
  readonly #conversation = new Conversation({ add: () => {} });
  readonly #lost = new AbortController();
  readonly #beside: number;
  #rounds = 0;
  #hasSpoken = false;
  /** Text of whole answers since the last look-up: a try that breaks off voids it too. */
  #said = '';
  #usage: Usage | null = null;
  #contextTokens: number | null = null;
  #isNoted = false;

  constructor(options: ChatTurnOptions) {
    this.#options = options;
    const { request, settings } = options;
    this.#parts = new ChatParts(request, [settings.apiKey], (error) => this.#lost.abort(error));
    this.#tools = new Map(request.tools.map((tool) => [tool.name, tool]));
    this.#beside =
      request.system.length +
      JSON.stringify(
        request.tools.map(({ name, description, inputSchema }) => [name, description, inputSchema]),
      ).length;
    this.#conversation.continueWith(
      request.history.map(({ role, text }): ModelMessage => ({ role, content: text })),
    );
    this.#conversation.user(request.message);
    this.result = this.#run();
  }

  async #run(): Promise<ChatResult> {
    const { request, settings, modelId } = this.#options;
    const signal = AbortSignal.any([request.signal, this.#lost.signal]);
    let end: End;
    try {
      const open = await openModel(settings, modelId, request.llm.reasoningEffort);
      end = await this.#runRounds(open, signal);
    } catch (error) {
      end = createChatEnd('error', toErrorMessage(error));
    }
    this.#parts.endOfText();
    await this.#parts.kept;
    if (this.#lost.signal.aborted)
      end = createChatEnd(
        'error',
        `The answer could not be kept: ${toErrorMessage(this.#lost.signal.reason)}`,
      );
    return {
      ...end,
      error: end.error && this.#parts.screen(end.error),
      usage: this.#usage,
      contextTokens: this.#contextTokens,
      rounds: this.#rounds,
      resume: null,
    };
  }

  async #runRounds(open: OpenModel, signal: AbortSignal): Promise<End> {
    for (;;) {
      if (signal.aborted) return createChatEnd('interrupted');
      const closes = this.#rounds >= this.#options.request.maxRounds;
      const reply = await this.#ask(open, closes, signal);
      if (!('message' in reply)) return reply;
      if (reply.stop === 'cut' || reply.stop === 'refusal') return createChatEnd(reply.stop);
      if (closes) return createChatEnd('rounds');
      if (reply.calls.length + reply.refused.length === 0)
        return this.#hasSpoken ? createChatEnd('end') : createChatEnd('error', EMPTY);
      this.#rounds += 1;
      if (reply.message) this.#conversation.addAnswer(reply.message);
      for (const answers of reply.refused) this.#refuse(answers);
      this.#parts.tell({ type: 'round', n: this.#rounds });
      for (let from = 0; from < reply.calls.length; from += MAX_AT_ONCE) {
        if (signal.aborted) return createChatEnd('interrupted');
        await this.#answer(reply.calls.slice(from, from + MAX_AT_ONCE), signal);
      }
    }
  }

  async #ask(open: OpenModel, closes: boolean, signal: AbortSignal): Promise<Reply | End> {
    const { request, settings, modelId, limits, clock, patience } = this.#options;
    const parts = this.#parts;
    const conversation = this.#conversation;
    const makeRoom = (problem: TooLong | null): boolean => {
      const room = conversation.makeRoom(limits.window(settings), this.#beside, problem);
      if (room !== null) parts.note(room.line);
      return room !== null;
    };
    makeRoom(null);
    let isBegun = false;
    let spokenText = '';
    try {
      const reply = await askPatiently({
        settings,
        modelId,
        clock,
        patience,
        signal,
        limits,
        makeRoom,
        asks: 'chat',
        say: (line) => parts.note(line),
        question: () => {
          // Only now: the text of an answer that broke off and is not asked for again remains.
          if (isBegun && !signal.aborted) {
            parts.tell({ type: 'again' });
            if (this.#said !== '') parts.pushToken(this.#said);
          }
          isBegun = false;
          spokenText = '';
          return {
            open,
            system: request.system,
            tools: request.tools,
            toolChoice: closes ? 'none' : 'auto',
            messages: conversation.messages,
            settledUpTo: request.history.length - 1,
            maxOutputTokens: limits.output(settings),
            onPart: async ({ kind, text }) => {
              if (kind === 'text') parts.pushToken(text);
              else if (kind === 'thinking') parts.pushThinking(text);
              else if (kind === 'end of text') parts.endOfText();
              if (text !== '') isBegun = true;
              if (kind === 'text') {
                spokenText += text;
                this.#hasSpoken ||= text.trim() !== '';
              }
              await parts.kept;
            },
            onHeaders: (headers) => {
              const use = readHeaderUse(headers, clock.now());
              if (use !== null) parts.tell({ type: 'limits', ...use });
            },
            onUsage: (report, why) => {
              if (why !== null) this.#noteOnce(why);
              if (report.source !== 'estimated') this.#usage = addUsage(this.#usage, report.usage);
              parts.tell(report);
              return parts.kept;
            },
          };
        },
        onBroken: () => parts.endOfText(),
      });
      if (reply.usage) {
        conversation.calibrate(reply.usage, this.#beside);
        this.#contextTokens = reply.usage.inputTokens + reply.usage.outputTokens;
      }
      this.#said += spokenText;
      return reply;
    } catch (error) {
      if (signal.aborted) return createChatEnd('interrupted');
      if (error instanceof QuotaFault) return createQuotaChatEnd(error);
      if (error instanceof TurnFault) return createChatEnd('error', error.message);
      throw error;
    }
  }

  #noteOnce(line: string): void {
    if (!this.#isNoted) this.#parts.note(line);
    this.#isNoted = true;
  }

  #refuse(answers: ToolModelMessage): void {
    this.#conversation.answers(answers);
    // So that the next answer begins on a line of its own.
    if (this.#said !== '' && !this.#said.endsWith('\n')) this.#said += '\n\n';
    for (const part of answers.content) {
      if (part.type !== 'tool-result') continue;
      const why = this.#tools.has(part.toolName)
        ? 'its arguments are not valid JSON'
        : 'it does not exist';
      this.#parts.note(`A look-up was refused: ${part.toolName}, ${why}.`);
    }
  }

  /** Runs several look-ups at the same time; the answers are in the order of the calls. */
  async #answer(calls: readonly ToolCall[], signal: AbortSignal): Promise<void> {
    const answers = calls.map(async (call) => [call, await this.#lookUp(call, signal)] as const);
    for (const [call, answer] of await Promise.all(answers))
      this.#conversation.answer(call, answer);
  }

  async #lookUp({ name, input }: ToolCall, signal: AbortSignal): Promise<ToolResult> {
    const tool = this.#tools.get(name);
    if (!tool) return toFailedResult(`The tool ${name} does not exist.`);
    this.#said = '';
    const answer = await tool.run(new Arguments(input).values, signal);
    // The model's endpoint gets this text: it may contain no secret of the runner.
    const text = boundText(replaceControlRuns(this.#parts.screen(answer.text)), MAX_LOOKUP_CHARS);
    return { text, failed: answer.failed };
  }
}
