import { Lexer, type Token, Tokenizer, type Tokens } from 'marked';

/** Deepest nesting of blocks that is read; the lexer calls itself for each level. */
const MAX_DEPTH = 10;
/**
 * Most characters of inline text with many marks that are read at once: the time that emphasis and
 * links take grows with the square of the length. A mark does not reach from one piece to the next.
 */
const MAX_RUN = 1_000;
/** Marks from which an inline text is cut into pieces; prose has fewer. */
const MANY_MARKS = 200;

const MARKS = /[*_~[\]!<`:@]/g;
const PIECE = new RegExp(`[^]{1,${MAX_RUN}}(?:(?<=\\s)|$)|[^]{1,${MAX_RUN}}`, 'g');

/** Splits a text into pieces of bounded length, after a word where possible. */
const splitLongRun = (text: string): string[] =>
  text.length <= MAX_RUN || (text.match(MARKS)?.length ?? 0) < MANY_MARKS
    ? [text]
    : (text.match(PIECE) ?? []);

/** Leaves quotes below the deepest level as text: each level doubles the time. */
class BoundedQuotes extends Tokenizer {
  readonly #maxQuotes: number;
  #depth = 0;

  constructor(maxQuotes: number) {
    super();
    this.#maxQuotes = maxQuotes;
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    if (this.#depth === this.#maxQuotes) return undefined;
    this.#depth += 1;
    try {
      return super.blockquote(src);
    } finally {
      this.#depth -= 1;
    }
  }
}

/** The lexer of `marked` with bounds, so that no text of anyone takes long or exhausts the stack. */
export class BoundedLexer extends Lexer {
  #depth = 0;

  /** `maxQuotes`: deepest nesting of quotes that is read. */
  constructor({ maxQuotes }: { maxQuotes: number }) {
    super({ gfm: true, tokenizer: new BoundedQuotes(maxQuotes) });
  }

  override blockTokens<T extends Token[]>(src: string, tokens?: T, clipped?: boolean): T;
  override blockTokens(src: string, tokens: Token[] = [], clipped?: boolean): Token[] {
    if (this.#depth === MAX_DEPTH) {
      tokens.push({ type: 'text', raw: src, text: src });
      return tokens;
    }
    this.#depth += 1;
    try {
      return super.blockTokens(src, tokens, clipped);
    } finally {
      this.#depth -= 1;
    }
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    for (const piece of splitLongRun(src)) super.inlineTokens(piece, tokens);
    return tokens;
  }
}
