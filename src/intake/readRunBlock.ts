import type { TurnEnd } from '../../machines/index.ts';
import type { AnswerBlocks } from '../base/agents/hiddenBlocks.ts';
import { toFields } from '../base/json/untrusted.ts';

export interface RunBlock {
  /** null: unreadable even after a repair. */
  block: Readonly<Record<string, unknown>> | null;
  repaired: boolean;
}

const FENCE = /^```\w*\n([\s\S]*?)\n?```$/;

/** The object, if it has members; else null. */
const parseFilledObject = (json: string): RunBlock['block'] => {
  const value = toFields(JSON.parse(json));
  return Object.keys(value).length === 0 ? null : value;
};

/** The same after a repair. The repair code is loaded only when it is needed. */
async function parseRepairedObject(text: string): Promise<RunBlock['block']> {
  const { jsonrepair } = await import('jsonrepair');
  try {
    return parseFilledObject(jsonrepair(text));
  } catch {
    return null;
  }
}

/** Turn ends after which a block without its closing tag counts as unfinished. */
const SAID: ReadonlySet<TurnEnd> = new Set(['end', 'rounds', 'cut']);

/**
 * Reads the run that an answer proposes: JSON, fenced or not. Faults such as single quotes, extra
 * commas or a missing end are repaired. Null: the answer proposes none.
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
