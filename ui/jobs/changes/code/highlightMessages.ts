import type { Token } from './tokens.ts';

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
