import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai';

/** Newest messages that are left as they are: what the agent is at. */
const KEPT_MESSAGES = 8;
/** Shorter texts are not worth it, characters. */
const LEAST_CHARS = 400;

export interface Folded {
  messages: ModelMessage[];
  /** Answers and arguments that were taken out, and their characters. */
  count: number;
  chars: number;
}

const NOTE = '[folded]';
const note = (what: string, chars: number): string =>
  `${NOTE} ${what} (${chars} characters) was taken out to make room. Call the tool again if you need it.`;

/** Folds the texts of one message and reports each to `onFold`. */
type Fold = (what: string, text: string) => string;

const foldAnswers = (message: ToolModelMessage, fold: Fold): ToolModelMessage => ({
  ...message,
  content: message.content.map((part) => {
    if (
      part.type !== 'tool-result' ||
      (part.output.type !== 'text' && part.output.type !== 'error-text')
    )
      return part;
    const { type, value } = part.output;
    return { ...part, output: { type, value: fold(`The answer of ${part.toolName}`, value) } };
  }),
});

const foldArguments = (message: AssistantModelMessage, fold: Fold): AssistantModelMessage => ({
  ...message,
  content:
    typeof message.content === 'string'
      ? message.content
      : message.content.map((part) => {
          if (part.type !== 'tool-call' || typeof part.input !== 'object' || part.input === null)
            return part;
          const input = Object.entries(part.input).map(([name, value]) => [
            name,
            typeof value === 'string'
              ? fold(`The argument ${name} of ${part.toolName}`, value)
              : value,
          ]);
          return { ...part, input: Object.fromEntries(input) };
        }),
});

/**
 * Takes old answers of tools, and long arguments of old calls, out of a conversation, oldest first,
 * until about `chars` characters are saved. What people and the model said stays. The same messages
 * are answered where there is nothing to fold.
 */
export function foldOld(messages: readonly ModelMessage[], chars: number): Folded {
  let saved = 0;
  let count = 0;
  const fold: Fold = (what, text) => {
    if (saved >= chars || text.length < LEAST_CHARS || text.startsWith(NOTE)) return text;
    const short = note(what, text.length);
    saved += text.length - short.length;
    count += 1;
    return short;
  };
  const old = messages.slice(0, Math.max(0, messages.length - KEPT_MESSAGES)).map((message) => {
    if (saved >= chars) return message;
    if (message.role === 'tool') return foldAnswers(message, fold);
    return message.role === 'assistant' ? foldArguments(message, fold) : message;
  });
  return { messages: [...old, ...messages.slice(old.length)], count, chars: saved };
}
