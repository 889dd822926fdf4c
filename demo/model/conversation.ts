import type { Scene, Stop, Tokens, ToolAnswer } from './script.ts';

export interface Conversation {
  model: string;
  stream: boolean;
  system: string;
  messages: readonly Message[];
  tools: readonly OfferedTool[];
}

export type Message =
  | { from: 'user'; text: string }
  | { from: 'model'; text: string; calls: number }
  | ({ from: 'tool' } & ToolAnswer);

export interface OfferedTool {
  name: string;
  /** Group that the name belongs to, on wires that have groups. */
  namespace: string | null;
  fields: readonly string[];
}

export interface NamedCall {
  id: string;
  name: string;
  namespace: string | null;
  args: Readonly<Record<string, unknown>>;
}

export interface Reply {
  id: string;
  model: string;
  thinking: string;
  text: string;
  /** Characters of a piece of text in a stream; null = the usual ones. */
  pieceChars: number | null;
  calls: readonly NamedCall[];
  stop: Stop;
  tokens: Tokens;
}

const MARKER = /@@([a-z][a-z0-9-]*)/g;

const findLastMarker = (text: string): string | null =>
  [...text.matchAll(MARKER)].at(-1)?.[1] ?? null;

/**
 * Finds the script to play: the last marker that the user or, failing that, the system prompt
 * names, and what came after it. Texts of tools and of the model choose nothing. null = no marker.
 */
export function deriveScene({ system, messages, tools }: Conversation): Scene | null {
  const offered = tools.map(({ name }) => name);
  const from = messages.findLastIndex(
    (message) => message.from === 'user' && findLastMarker(message.text) !== null,
  );
  const chosen = messages[from];
  const marker = findLastMarker(chosen?.from === 'user' ? chosen.text : system);
  if (marker === null) return null;
  const since = messages.slice(Math.max(0, from));
  return {
    marker,
    answers: since.flatMap((message) =>
      message.from === 'tool' ? [{ text: message.text, failed: message.failed }] : [],
    ),
    said: since.flatMap((message) => (message.from === 'user' ? [message.text] : [])),
    system,
    offered,
  };
}
