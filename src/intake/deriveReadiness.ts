import { parseJsonOrNull } from '../base/json/parseJsonOrNull.ts';
import Value from 'typebox/value';
import { Readiness } from '../contract/schema/planning/intake.ts';

/** Most questions, and longest text of one, characters. */
const MAX_QUESTIONS = 20;
const MAX_TEXT_CHARS = 2_000;

const UNREADABLE = 'The model’s status could not be read.';
const ONLY_OUTSIDE =
  'The model calls this ready, but all that it has looked up in this turn was written by people outside of the team: check it yourself.';

interface ReadinessInput {
  /** Body of the last readiness block; null = none. */
  body: string | null;
  /** The readiness before the turn; null = none. */
  before: Readiness | null;
  /** The turn has made look-ups, and all results came from outside. */
  onlyOutside: boolean;
}

const clipReadiness = ({ state, openQuestions, note }: Readiness): Readiness => ({
  state,
  openQuestions: openQuestions
    .slice(0, MAX_QUESTIONS)
    .map((question) => question.slice(0, MAX_TEXT_CHARS)),
  note: note.slice(0, MAX_TEXT_CHARS),
});

/**
 * The readiness after a turn. An unreadable block only changes the note, so it never makes a
 * conversation ready; neither does a turn that has only read texts of outsiders.
 */
export function deriveReadiness({ body, before, onlyOutside }: ReadinessInput): Readiness | null {
  if (body === null) return before;
  const said = parseJsonOrNull(body);
  if (!Value.Check(Readiness, said))
    return { openQuestions: [], state: 'investigating', ...before, note: UNREADABLE };
  if (said.state === 'ready' && onlyOutside)
    return { ...clipReadiness(said), state: 'investigating', note: ONLY_OUTSIDE };
  return clipReadiness(said);
}
