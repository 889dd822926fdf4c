import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai';
import { boundText } from '../../base/text/boundedText.ts';

/**
 * Newest messages, which are not shortened while the model can take them: the agent is working with them.
 */
const KEPT_MESSAGES = 8;
/** Shorter texts are not folded, characters. */
const LEAST_CHARS = 400;
/** Characters kept of an answer that the model has not seen yet, and of its own long texts. */
const CUT_CHARS = 2_000;

export interface FoldedMessages {
  messages: ModelMessage[];
  /** Answers and arguments that were taken out, and their characters. */
  count: number;
  chars: number;
}

const NOTE = '[folded]';
const formatFoldingNote = (what: string, chars: number): string =>
  `${NOTE} ${what} (${chars} characters) was taken out to make room. Call the tool again if you need it.`;

/** Folds the texts of one message and reports each to `onFold`. */
type Fold = (what: string, text: string) => string;

const formatCutNote = (chars: number): string =>
  `[cut] The model takes no more: ${chars} characters were cut to their beginning and end. Ask for less at once.`;

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

const foldWords = (message: AssistantModelMessage, fold: Fold): AssistantModelMessage => ({
  ...message,
  content:
    typeof message.content === 'string'
      ? fold('', message.content)
      : message.content.map((part) =>
          part.type === 'text' ? { ...part, text: fold('', part.text) } : part,
        ),
});

/** Counts what is taken out, until it is enough. */
class Savings {
  readonly #wanted: number;
  saved = 0;
  count = 0;

  constructor(wantedChars: number) {
    this.#wanted = wantedChars;
  }

  get isEnough(): boolean {
    return this.saved >= this.#wanted;
  }

  /** Replaces a long text by a note; the model can call the tool again. */
  readonly fold: Fold = (what, text) =>
    text.length < LEAST_CHARS || text.startsWith(NOTE)
      ? text
      : this.#replace(text, formatFoldingNote(what, text.length));

  /** Keeps the beginning and the end of a very long text. */
  readonly cut: Fold = (_what, text) =>
    text.length <= 2 * CUT_CHARS
      ? text
      : this.#replace(text, `${formatCutNote(text.length)}\n${boundText(text, CUT_CHARS)}`);

  #replace(text: string, short: string): string {
    if (this.isEnough || short.length >= text.length) return text;
    this.saved += text.length - short.length;
    this.count += 1;
    return short;
  }
}

type Change = (message: ModelMessage) => ModelMessage;

const foldTools =
  (fold: Fold): Change =>
  (message) => {
    if (message.role === 'tool') return foldAnswers(message, fold);
    return message.role === 'assistant' ? foldArguments(message, fold) : message;
  };
const foldAnswersAlone =
  (fold: Fold): Change =>
  (message) =>
    message.role === 'tool' ? foldAnswers(message, fold) : message;
const foldOwnWords =
  (fold: Fold): Change =>
  (message) =>
    message.role === 'assistant' ? foldWords(message, fold) : message;

/**
 * Takes old tool answers and long arguments of old calls out of a conversation, oldest first, until
 * about `chars` characters are saved. `isDeep`: also from the newest messages, and, where that is
 * not enough, cuts unseen answers and the model's own long texts to beginning and end. Messages of
 * people stay. Returns the same messages if there is nothing to fold.
 */
export function foldOld(
  messages: readonly ModelMessage[],
  chars: number,
  isDeep = false,
): FoldedMessages {
  const savings = new Savings(chars);
  const folded = [...messages];
  const change = (from: number, to: number, by: Change) => {
    for (let index = Math.max(0, from); index < to && !savings.isEnough; index += 1) {
      const message = folded[index];
      if (message !== undefined) folded[index] = by(message);
    }
  };
  const firstKept = Math.max(0, folded.length - KEPT_MESSAGES);
  change(0, firstKept, foldTools(savings.fold));
  if (isDeep) {
    const newest = folded.findLastIndex(({ role }) => role === 'assistant');
    change(firstKept, newest, foldTools(savings.fold));
    change(newest, folded.length, foldAnswersAlone(savings.cut));
    change(0, newest, foldOwnWords(savings.cut));
  }
  return { messages: folded, count: savings.count, chars: savings.saved };
}
