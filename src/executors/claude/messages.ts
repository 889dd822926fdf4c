import { endOpenCalls } from '../process/endOpenCalls.ts';
import type { SessionOutput } from '../process/sessionOutput.ts';
import {
  type Fields,
  toFields,
  toListOrEmpty,
  toStringOrEmpty,
} from '../../base/json/untrusted.ts';
import { readAccountUse } from './readAccountUse.ts';

const TELLING = ['command', 'file_path', 'path', 'pattern', 'skill', 'url', 'query'];

const formatClaudeCallDetail = (input: Fields): string => {
  const telling = TELLING.map((name) => toStringOrEmpty(input[name])).find((value) => value !== '');
  return telling ?? (Object.keys(input).length === 0 ? '' : JSON.stringify(input));
};

/** Text of a tool's result: a string, or blocks. */
const readResultText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : toListOrEmpty(content)
        .map((block) => toStringOrEmpty(toFields(block).text))
        .join('\n');

/** Share of the conversation that was freed; older versions do not report the remaining size. */
function computeFreedShare({ pre_tokens: before, post_tokens: after }: Fields): number | null {
  if (typeof before !== 'number' || typeof after !== 'number' || before <= 0) return null;
  return Math.max(0, 1 - after / before);
}

/**
 * Turns the agent's messages into events. The text of subagents is left out, their tool calls are
 * not.
 */
export class Messages {
  readonly #output: SessionOutput;
  readonly #onAgain: () => void;
  readonly #calls = new Map<string, string>();
  /** The answer whose text was already reported in parts; empty = none. */
  #streamed = '';
  /** The last answer that began, while no whole part of it has come. */
  #answer = '';
  #isOpen = false;
  /** The answers of this turn, by id. */
  readonly #seen = new Set<string>();

  /** `onAgain`: called when an answer that broke off begins again. */
  constructor(output: SessionOutput, onAgain: () => void = () => {}) {
    this.#output = output;
    this.#onAgain = onAgain;
  }

  take(message: Fields): void {
    const use = readAccountUse(message);
    if (use !== null) this.#output.tell({ type: 'limits', ...use });
    if (message.type === 'system' && message.subtype === 'compact_boundary')
      this.#output.noteFold(computeFreedShare(toFields(message.compact_metadata)));
    if (message.type === 'stream_event' && message.parent_tool_use_id === null)
      this.#part(toFields(message.event));
    else if (message.type === 'assistant') this.#assistant(message);
    else if (message.type === 'user')
      this.#answers(toListOrEmpty(toFields(message.message).content).map(toFields));
  }

  endOfTurn(): void {
    this.#output.endOfMessage();
    endOpenCalls(this.#output, this.#calls);
    this.#seen.clear();
    this.#isOpen = false;
  }

  #part({ type, delta, message }: Fields): void {
    if (type === 'message_start') this.#begin(toStringOrEmpty(toFields(message).id) || 'unnamed');
    if (type === 'message_stop') this.#isOpen = false;
    if (type !== 'content_block_delta') return;
    const part = toFields(delta);
    if (part.type === 'text_delta') this.#streamed = this.#answer;
    if (part.type === 'text_delta') this.#output.pushToken(toStringOrEmpty(part.text));
    if (part.type === 'thinking_delta') this.#output.pushThinking(toStringOrEmpty(part.thinking));
  }

  /** The model answers again, so the text of the answer that broke off is void. */
  #begin(id: string): void {
    if (this.#isOpen) {
      this.#output.endOfMessage();
      this.#output.control("The model's answer was cut off; retrying.");
      this.#onAgain();
    }
    this.#answer = id;
    this.#isOpen = true;
    this.#streamed = '';
    this.#seen.add(id);
    this.#output.turn.requestBegan();
  }

  #assistant({ message, parent_tool_use_id, error }: Fields): void {
    const isOwn = parent_tool_use_id === null || parent_tool_use_id === undefined;
    const id = toStringOrEmpty(toFields(message).id);
    // After a broken stream the program asks for a whole answer. Its text about an error is not an
    // answer.
    if (isOwn && toStringOrEmpty(error) === '' && id !== '' && !this.#seen.has(id)) {
      this.#begin(id);
    }
    this.#isOpen = false;
    for (const block of toListOrEmpty(toFields(message).content).map(toFields)) {
      const isStreamed = this.#streamed !== '' && (id === '' || this.#streamed === id);
      if (block.type === 'text' && isOwn && !isStreamed)
        this.#output.pushToken(toStringOrEmpty(block.text));
      this.#output.endOfMessage();
      if (block.type !== 'tool_use') continue;
      const [call, name] = [toStringOrEmpty(block.id), toStringOrEmpty(block.name)];
      this.#calls.set(call, name);
      const { input } = block;
      this.#output.tool(
        { at: 'start', id: call, name, ok: true, detail: formatClaudeCallDetail(toFields(input)) },
        input,
      );
    }
  }

  #answers(blocks: readonly Fields[]): void {
    for (const { type, tool_use_id, is_error, content } of blocks) {
      const id = toStringOrEmpty(tool_use_id);
      const name = this.#calls.get(id);
      if (type !== 'tool_result' || name === undefined) continue;
      this.#calls.delete(id);
      this.#output.tool({
        at: 'end',
        id,
        name,
        ok: is_error !== true,
        detail: readResultText(content),
      });
    }
  }
}

/** Whether an answer of the model begins. A text of the program about an error does not count. */
export const isAnswerStart = ({ type, event, error }: Fields): boolean =>
  (type === 'stream_event' && toFields(event).type === 'message_start') ||
  (type === 'assistant' && toStringOrEmpty(error) === '');
