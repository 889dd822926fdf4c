import { toPlainHeading, toPlainState } from '../../chart/picture/plainWords.ts';
import type { JournalEntry } from '../../../src/contract/schema/api/replies.ts';
import { describeRunnerAct, isNamedRunnerAct } from '../plainText.ts';

/** An event of the journal, as people say it. */
export const describeJournalEvent = (type: string): string =>
  type === 'kernel.recovered' ? 'Runner restarted here' : toPlainHeading(type);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Longest text of an event that is quoted, in characters. */
const MAX_QUOTED = 200;

/** What an event says of itself in words, such as the text of a message or the name of a phase. */
function quoteEvent(event: JournalEntry['event']): string[] {
  const { phase, text, message, reason, name } = event as Record<string, unknown>;
  const words = [text, message, reason].find(isText);
  return [
    ...(isText(phase) ? [`Phase: ${phase}.`] : []),
    ...(isText(name) ? [`Sub-run: ${name}.`] : []),
    ...(words === undefined
      ? []
      : [`“${words.length > MAX_QUOTED ? `${words.slice(0, MAX_QUOTED)}…` : words}”`]),
  ];
}

/**
 * What happened in a step of the journal, in sentences without names of the code: where the job went,
 * what the runner began to do, and what the event says. `before`: states before the step.
 */
export function describeStep(
  { event, path, effects }: Pick<JournalEntry, 'event' | 'path' | 'effects'>,
  before: readonly string[],
): string[] {
  const to = path.at(-1);
  const name = (state: string) => toPlainState(state, state);
  const [from = ''] = before;
  const acts = [...new Set(effects.map(({ type }) => type))].filter(isNamedRunnerAct);
  return [
    to === undefined || to === from
      ? 'The job stays where it is.'
      : from === ''
        ? `The job is now: ${name(to)}.`
        : `The job went from “${name(from)}” to “${name(to)}”.`,
    ...acts.map((act) => `Next: ${describeRunnerAct(act).toLowerCase()}.`),
    ...quoteEvent(event),
  ];
}
