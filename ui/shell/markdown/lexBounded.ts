import { BoundedLexer } from '../../../src/base/markdown/boundedLexer.ts';

const createLexer = () => new BoundedLexer({ maxQuotes: 3 });

/** Tokens of a text of anyone. */
export const lexBounded = (markdown: string) => createLexer().lex(markdown);

/** Only the blocks of a text, without the marks inside them. Its line ends are `\n`. */
export const lexBoundedBlocks = (markdown: string) => createLexer().blockTokens(markdown);
