import type { TurnEnd } from '../../machines/index.ts';
import type { AnswerBlocks } from '../shared/agents/hiddenBlocks.ts';
import { toFields } from '../shared/json/untrusted.ts';

/** What the `<run>` block of an answer says. */
export interface RunBlock {
  /** Null: it cannot be read, not even repaired. */
  block: Readonly<Record<string, unknown>> | null;
  /** It was not valid JSON. */
  repaired: boolean;
}

const FENCE = /^```\w*\n([\s\S]*?)\n?```$/;

/** The object, if it has members; null = not an object. */
const parseFilledObject = (json: string): RunBlock['block'] => {
  const value = toFields(JSON.parse(json));
  return Object.keys(value).length === 0 ? null : value;
};

/** The same after a repair. Most blocks need none: what repairs is loaded with the first that does. */
async function parseRepairedObject(text: string): Promise<RunBlock['block']> {
  const { jsonrepair } = await import('jsonrepair');
  try {
    return parseFilledObject(jsonrepair(text));
  } catch {
    return null;
  }
}

/** Ends after which a block without its closing tag is one that the model has not finished. */
const SAID: ReadonlySet<TurnEnd> = new Set(['end', 'rounds', 'cut']);

/**
 * Reads the run that an answer proposes: JSON, in a fence or not. JSON with faults, such as single
 * quotes, a comma too many or a missing end, is repaired. Null: the answer proposes none.
 */
export async function readRunBlock(
  { run, openRun }: Pick<AnswerBlocks, 'run' | 'openRun'>,
  end: TurnEnd,
): Promise<RunBlock | null> {
  const body = (SAID.has(end) ? openRun : null) ?? run;
  if (body === null) return null;
  const text = body.trim().replace(FENCE, '$1');
  try {
    return { block: parseFilledObject(text), repaired: false };
  } catch {
    return { block: await parseRepairedObject(text), repaired: true };
  }
}
