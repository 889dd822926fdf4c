import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai';
import type { Usage } from '../../contract/schema/session/usage.ts';
import type { ToolCall, ToolResult } from './agentTool.ts';
import { foldOld } from './foldOld.ts';
import type { TooLong } from '../process/refusal/parseLengths.ts';

/** Share of the window at which folding of old answers begins, and at which it stops. */
const FOLD_FROM = 0.75;
const FOLD_TO = 0.5;
const FOLD_ALL_FROM = 0.95;
/** Lowest and highest plausible tokens per character. */
const TOKENS_PER_CHAR = { least: 0.05, most: 1 };
/** Tokens per character until the endpoint has reported its counts. */
const FIRST_GUESS = 0.3;

const INTERRUPTED =
  '[interrupted] The turn was stopped here. What comes next is from a developer or from the runner.';

/**
 * Receives each entry of a conversation, in order; entries that it does not store are lost in a
 * crash.
 */
export interface ConversationLog {
  add(message: ModelMessage): void;
}

export interface Room {
  /** For the log. */
  line: string;
  /** Part of the conversation that was freed, 0 to 1. */
  freed: number;
}

/**
 * The conversation with the model: it grows with each message, answer and tool result, and is
 * folded when it gets too long.
 */
export class Conversation {
  #messages: ModelMessage[] = [];
  readonly #log: ConversationLog;
  #tokensPerChar = FIRST_GUESS;
  #refusedChars = Number.POSITIVE_INFINITY;

  constructor(log: ConversationLog) {
    this.#log = log;
  }

  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  /**
   * Continues an earlier conversation. Calls without an answer get one, since the endpoint requires
   * one for each.
   */
  continueWith(messages: readonly ModelMessage[]): void {
    this.#messages = [...messages];
    const answeredIds = new Set(
      messages.flatMap((message) => (message.role === 'tool' ? listCallIds(message.content) : [])),
    );
    const open = messages.flatMap((message) =>
      message.role === 'assistant' && typeof message.content !== 'string'
        ? message.content.filter(
            (part) => part.type === 'tool-call' && !answeredIds.has(part.toolCallId),
          )
        : [],
    );
    for (const part of open) {
      if (part.type !== 'tool-call') continue;
      const text =
        '[restart] The runner restarted while this call ran. Whether it was carried out is unknown.';
      this.answer(
        { id: part.toolCallId, name: part.toolName, input: part.input },
        { text, failed: true },
      );
    }
  }

  user(text: string): void {
    this.#add({ role: 'user', content: text });
  }

  addAnswer(message: AssistantModelMessage): void {
    this.#add(message);
  }

  /** Adds the partial answer of a model that was cut off. */
  addInterrupted(partial: string): void {
    if (partial.trim() !== '')
      this.#add({ role: 'assistant', content: [{ type: 'text', text: partial }] });
    this.user(INTERRUPTED);
  }

  answer({ id, name }: ToolCall, { text, failed }: ToolResult): void {
    const output = { type: failed ? ('error-text' as const) : ('text' as const), value: text };
    this.answers({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: id, toolName: name, output }],
    });
  }

  answers(message: ToolModelMessage): void {
    this.#add(message);
  }

  /**
   * Learns how many tokens a character takes from the endpoint's count of the last request.
   * `beside`: characters of prompt and tools.
   */
  calibrate({ inputTokens }: Pick<Usage, 'inputTokens'>, beside: number): void {
    const { least, most } = TOKENS_PER_CHAR;
    const chars = this.#chars() + beside;
    if (inputTokens > 0) this.#tokensPerChar = Math.min(most, Math.max(least, inputTokens / chars));
  }

  /**
   * Folds old answers when the conversation fills most of the window, or, given a `problem`, in
   * any case, the newest ones included.
   *
   * @returns how the conversation was shortened; null if nothing could be shortened
   */
  makeRoom(window: number, beside: number, problem: TooLong | null = null): Room | null {
    if (problem?.asked) this.calibrate({ inputTokens: problem.asked }, beside);
    const size = this.#chars() + beside;
    if (problem !== null) this.#refusedChars = Math.min(this.#refusedChars, size);
    const tokens = Math.round(size * this.#tokensPerChar);
    const most = Math.min(window, Math.round(this.#refusedChars * this.#tokensPerChar));
    if (problem === null && tokens < most * FOLD_FROM) return null;
    const isDeep = problem !== null || tokens > most * FOLD_ALL_FROM;
    const { messages, count, chars } = foldOld(
      this.#messages,
      (tokens - Math.min(tokens, most) * FOLD_TO) / this.#tokensPerChar,
      isDeep,
    );
    if (count === 0) return null;
    this.#messages = messages;
    const savedTokens = Math.round(chars * this.#tokensPerChar);
    return {
      line: `The conversation had about ${tokens} of ${most} tokens: ${count} old answers and arguments of tools were folded, about ${savedTokens} tokens.`,
      freed: tokens === 0 ? 0 : savedTokens / tokens,
    };
  }

  #add(message: ModelMessage): void {
    this.#messages.push(message);
    this.#log.add(message);
  }

  #chars(): number {
    return this.#messages.reduce((sum, { content }) => sum + JSON.stringify(content).length, 0);
  }
}

const listCallIds = (content: ToolModelMessage['content']): string[] =>
  content.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []));
