import { createHash } from 'node:crypto';
import type { ReadTool } from '../../contract/planning/chat.ts';
import { MAX_LOOKUP_CHARS } from '../../shared/limits/intakeLimits.ts';
import { toErrorMessage } from '../../shared/errors/errors.ts';
import { type EvidenceItem, formatEvidenceBlock } from '../evidence/evidenceItem.ts';
import { fitLookupText } from './fitLookupText.ts';
import type { LookupFinding, Lookup } from './lookup.ts';
import { looksPlanted } from './plantedText.ts';

/** A look-up that has begun. */
export interface StartedLookup {
  /** Number of its evidence within the conversation. */
  n: number;
  tool: string;
  target: string;
}

/** One that is over. */
export interface EndedLookup {
  item: EvidenceItem;
  /** JSON. */
  args: string;
  ms: number;
}

export interface ReadToolsOptions {
  lookups: readonly Lookup[];
  now(): number;
  /** Takes known secrets out of a text. */
  screen(text: string): string;
  /** Shows what a person would not see, such as HTML comments. */
  visible(text: string): string;
  /** Random word of the turn, for the blocks that the model is shown. */
  key: string;
  /** Number of the next evidence. */
  next(): number;
  onStart(started: StartedLookup): void;
  /** The model is answered when it has resolved: what it was shown is kept by then. */
  onEnd(ended: EndedLookup): Promise<void>;
}

const NOTHING: Omit<LookupFinding, 'text'> = {
  trust: 'own',
  repo: null,
  commit: null,
  path: null,
  fromLine: null,
  toLine: null,
};

/** Longest list of arguments that is kept, characters. */
const MAX_ARGS_CHARS = 4_000;

/** What a target says where the arguments make no sense. */
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
    // What a server says of an error was not written by anybody we know.
    return { ...NOTHING, text, trust: 'outside', ok: false };
  }
}

/**
 * The look-ups of one turn as tools that a model may call. Each one is recorded as evidence, with
 * secrets taken out and what is invisible shown, before the model sees it.
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
      const asked = screen(JSON.stringify(args)).slice(0, MAX_ARGS_CHARS);
      await onEnd({ item, args: asked, ms: Math.max(0, Math.round(now() - began)) });
      return { text: formatEvidenceBlock(item, key, MAX_LOOKUP_CHARS), failed: !ok };
    },
  }));
};
