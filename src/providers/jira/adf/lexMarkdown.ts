import { Lexer, type Token, Tokenizer, type Tokens } from 'marked';

/** Deepest nesting of lists that is read; the lexer calls itself for each level. */
const MAX_DEPTH = 10;
/**
 * Most characters of one run of inline text that are read at once: the time that emphasis takes
 * grows with the square of the length. A mark does not reach from one piece to the next.
 */
const MAX_RUN = 1_000;

/** Reads no quote within a quote: each level would double the time. It stays text. */
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

/** The lexer of `marked` with bounds, so that no text takes it long or exhausts the stack. */
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

/** A text in pieces of bounded length, cut behind a word where there is one. */
const splitLongRun = (text: string): string[] =>
  text.length <= MAX_RUN ? [text] : (text.match(PIECE) ?? []);

/** Block tokens with their inline tokens within; single line ends are kept in the texts. */
export const lexMarkdown = (markdown: string): Token[] => new BoundedLexer().lex(markdown);

/** Inline tokens of a text whose blocks are not to be read. */
export const lexInline = (text: string): Token[] => new BoundedLexer().inlineTokens(text);
