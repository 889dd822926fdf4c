import type { Token } from './tokens.ts';

/** Texts of one language to be coloured, each on its own. */
export interface HighlightRequest {
  id: number;
  language: string;
  texts: string[];
}

/** For each text the tokens of each of its lines; empty where the language is not known. */
export interface HighlightReply {
  id: number;
  lines: Token[][][];
}
