import { Lexer, type Token, Tokenizer, type Tokens } from 'marked';

/** Deepest nesting of lists; the lexer recurses for each level. */
const MAX_DEPTH = 10;
/**
 * Most characters of inline text that are read at once, since the time for emphasis grows with the
 * square of the length. Emphasis cannot span two pieces.
 */
const MAX_RUN = 1_000;

/** Leaves a quote within a quote as text: each level would double the time. */
class FlatQuotes extends Tokenizer {
  #inQuote = false;

  override blockquote(src: string): Tokens.Blockquote | undefined {
    if (this.#inQuote) return undefined;
    this.#inQuote = true;
    try {
      return super.blockquote(src);
    } finally {
      this.#inQuote = false;
    }
  }
}

/** The lexer of `marked` with bounds, so that no text takes long or exhausts the stack. */
class BoundedLexer extends Lexer {
  #depth = 0;

  constructor() {
    super({ gfm: true, tokenizer: new FlatQuotes() });
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

const PIECE = new RegExp(`[^]{1,${MAX_RUN}}(?:(?<=\\s)|$)|[^]{1,${MAX_RUN}}`, 'g');

/** Splits a text into pieces of bounded length, after a word where possible. */
const splitLongRun = (text: string): string[] =>
  text.length <= MAX_RUN ? [text] : (text.match(PIECE) ?? []);

/** Block tokens with their inline tokens; single line breaks are kept. */
export const lexMarkdown = (markdown: string): Token[] => new BoundedLexer().lex(markdown);

export const lexInline = (text: string): Token[] => new BoundedLexer().inlineTokens(text);
