import { createHash } from 'node:crypto';
import type { ReadTool } from '../../contract/planning/chat.ts';
import { MAX_LOOKUP_CHARS } from '../../base/limits/intakeLimits.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import { formatEvidenceBlock, type EvidenceItem } from '../evidence/evidenceItem.ts';
import type { LookupFinding, Lookup } from './lookup.ts';
import { parseNumberedLines } from '../evidence/numberedLines.ts';

/**
 * Part of the longest answer reserved for the block around the text and the note about omissions.
 */
const FRAME_CHARS = 2_000;
const MAX_TEXT_CHARS = MAX_LOOKUP_CHARS - FRAME_CHARS;

type FittedText = Pick<LookupFinding, 'text' | 'toLine'>;

/**
 * The part of a text that fits: whole lines, and a note about omissions. `toLine` is its last line,
 * so that only shown lines count as seen.
 */
function fitLookupText({
  text,
  fromLine,
  toLine,
}: FittedText & Pick<LookupFinding, 'fromLine'>): FittedText {
  if (text.length <= MAX_TEXT_CHARS) return { text, toLine };
  const end = text.lastIndexOf('\n', MAX_TEXT_CHARS);
  const keptText = text.slice(0, end > 0 ? end : MAX_TEXT_CHARS);
  const omittedChars = text.length - keptText.length;
  if (fromLine === null || toLine === null)
    return {
      text: `${keptText}\n[${omittedChars} more characters were left out: ask for less.]`,
      toLine,
    };
  const last = Math.max(fromLine, ...parseNumberedLines(keptText).keys());
  const next = last < toLine ? `the next line is ${last + 1}` : 'this line is too long';
  return {
    text: `${keptText}\n[${omittedChars} more characters were left out: ${next}.]`,
    toLine: last,
  };
}

/** What `visibleText` writes for invisible characters. */
const INVISIBLE = /\[invisible: (?!U\+FEFF\])/;

/** Phrases that address a model instead of people. */
const TO_A_MODEL = [
  /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|all|your|system)\b.{0,40}\b(?:instruction|prompt|rule|message)s?/is,
  /\b(?:system|developer)\s+(?:prompt|message|override|notice)\b/i,
  /\byou are (?:now|no longer)\b/i,
  /\b(?:as|dear|attention,?)\s+(?:an?\s+)?(?:AI|LLM|language model|assistant|agent)\b/i,
  /\b(?:AI|LLM|assistant|agent|model)s?\b.{0,30}\b(?:must|should|has to|have to|shall)\b/i,
  /<\s*\/?\s*(?:evidence|findings|readiness|run|system|assistant|tool_result|function_calls)\b/i,
  /\b(?:autoApprove|auto-approve|bypassPermissions|dangerously)\b/i,
  // In a file each line begins with its number.
  /^(?:\d+\t)?\s*(?:assistant|system|human|user)\s*:/im,
  /<\|(?:im_start|im_end|system|endoftext)\|>/i,
  /\bdo not (?:tell|mention|show|inform)\b.{0,40}\b(?:user|developer|person|anyone)\b/is,
];

/**
 * Whether a text, made visible, could be meant for a model: it hides characters or addresses one.
 * It is then marked as from outside, regardless of who owns the file: it is still shown, but a run that
 * follows asks once more. Finding nothing proves nothing.
 */
export const looksPlanted = (visible: string): boolean =>
  INVISIBLE.test(visible) || TO_A_MODEL.some((sign) => sign.test(visible));

export interface StartedLookup {
  /** Number of its evidence within the conversation. */
  n: number;
  tool: string;
  target: string;
}

export interface EndedLookup {
  item: EvidenceItem;
  /** JSON. */
  args: string;
  ms: number;
}

export interface ReadToolsOptions {
  lookups: readonly Lookup[];
  now(): number;
  screen(text: string): string;
  /** Shows what a person would not see, such as HTML comments. */
  visible(text: string): string;
  /** Random word of the turn, for the blocks that the model sees. */
  key: string;
  next(): number;
  onStart(lookup: StartedLookup): void;
  /** The model gets its answer only when this has resolved, so what it sees is stored by then. */
  onEnd(lookup: EndedLookup): Promise<void>;
}

const NOTHING: Omit<LookupFinding, 'text'> = {
  trust: 'own',
  repo: null,
  commit: null,
  path: null,
  fromLine: null,
  toLine: null,
};

/** Longest kept list of arguments, characters. */
const MAX_ARGS_CHARS = 4_000;

function describeLookupTarget(lookup: Lookup, args: Readonly<Record<string, unknown>>): string {
  try {
    return lookup.describeTarget(args);
  } catch {
    return JSON.stringify(args).slice(0, 200);
  }
}

async function runLookup(
  lookup: Lookup,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<LookupFinding & { ok: boolean }> {
  try {
    return { ...(await lookup.find(args, signal)), ok: true };
  } catch (error) {
    const text = signal.aborted
      ? 'The turn was stopped before this was found.'
      : toErrorMessage(error);
    // A server's error text has no known author.
    return { ...NOTHING, text, trust: 'outside', ok: false };
  }
}

/**
 * The look-ups of a turn as tools for a model. Each result is recorded as evidence, without secrets
 * and with invisible text shown, before the model sees it.
 */
export const createReadTools = (options: ReadToolsOptions): ReadTool[] => {
  const { lookups, now, screen, visible, key, next, onStart, onEnd } = options;
  return lookups.map((lookup) => ({
    name: lookup.name,
    description: lookup.description,
    inputSchema: lookup.inputSchema,
    async run(args, signal) {
      const target = visible(screen(describeLookupTarget(lookup, args)));
      const n = next();
      onStart({ n, tool: lookup.name, target });
      const began = now();
      const { text: raw, ok, trust: source, ...place } = await runLookup(lookup, args, signal);
      const { text, toLine } = fitLookupText({ ...place, text: visible(screen(raw)) });
      const trust = looksPlanted(text) ? 'outside' : source;
      const sha256 = createHash('sha256').update(text).digest('hex');
      const item: EvidenceItem = {
        n,
        tool: lookup.name,
        target,
        ok,
        ...place,
        toLine,
        trust,
        sha256,
        text,
      };
      const argumentText = screen(JSON.stringify(args)).slice(0, MAX_ARGS_CHARS);
      await onEnd({ item, args: argumentText, ms: Math.max(0, Math.round(now() - began)) });
      return { text: formatEvidenceBlock(item, key, MAX_LOOKUP_CHARS), failed: !ok };
    },
  }));
};
