import type { SessionOutput } from '../process/sessionOutput.ts';
import { type Fields, fields, list, text } from '../../lib/untrusted.ts';

const TELLING = ['command', 'file_path', 'path', 'pattern', 'skill', 'url', 'query'];

const detailOf = (input: Fields): string => {
  const telling = TELLING.map((name) => text(input[name])).find((value) => value !== '');
  return telling ?? (Object.keys(input).length === 0 ? '' : JSON.stringify(input));
};

/** Text of a tool's result: a string, or blocks. */
const resultText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : list(content)
        .map((block) => text(fields(block).text))
        .join('\n');

/**
 * Turns what the agent says and does into events. Subagents' words are left out; their tool calls
 * are not.
 */
export class Messages {
  readonly #output: SessionOutput;
  readonly #calls = new Map<string, string>();
  /** The text of the coming message was already reported in parts. */
  #isStreamed = false;

  constructor(output: SessionOutput) {
    this.#output = output;
  }

  take(message: Fields): void {
    if (message.type === 'stream_event' && message.parent_tool_use_id === null)
      this.#part(fields(message.event));
    else if (message.type === 'assistant') this.#assistant(message);
    else if (message.type === 'user')
      this.#answers(list(fields(message.message).content).map(fields));
  }

  endOfTurn(): void {
    this.#output.endOfMessage();
    for (const [id, name] of this.#calls)
      this.#output.tool({ at: 'end', id, name, ok: false, detail: 'The turn ended before it.' });
    this.#calls.clear();
  }

  #part({ type, delta }: Fields): void {
    if (type === 'message_start') this.#isStreamed = false;
    if (type !== 'content_block_delta') return;
    const part = fields(delta);
    this.#isStreamed ||= part.type === 'text_delta';
    if (part.type === 'text_delta') this.#output.token(text(part.text));
    if (part.type === 'thinking_delta') this.#output.thinking(text(part.thinking));
  }

  #assistant({ message, parent_tool_use_id }: Fields): void {
    for (const block of list(fields(message).content).map(fields)) {
      const isOwn = parent_tool_use_id === null || parent_tool_use_id === undefined;
      if (block.type === 'text' && isOwn && !this.#isStreamed) this.#output.token(text(block.text));
      this.#output.endOfMessage();
      if (block.type !== 'tool_use') continue;
      const [id, name] = [text(block.id), text(block.name)];
      this.#calls.set(id, name);
      this.#output.tool({ at: 'start', id, name, ok: true, detail: detailOf(fields(block.input)) });
    }
  }

  #answers(blocks: readonly Fields[]): void {
    for (const { type, tool_use_id, is_error, content } of blocks) {
      const id = text(tool_use_id);
      const name = this.#calls.get(id);
      if (type !== 'tool_result' || name === undefined) continue;
      this.#calls.delete(id);
      this.#output.tool({
        at: 'end',
        id,
        name,
        ok: is_error !== true,
        detail: resultText(content),
      });
    }
  }
}

/** Whether an answer of the model begins. What the program says about an error is not one. */
export const answerBegins = ({ type, event, error }: Fields): boolean =>
  (type === 'stream_event' && fields(event).type === 'message_start') ||
  (type === 'assistant' && text(error) === '');
