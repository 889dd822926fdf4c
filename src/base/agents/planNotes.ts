import { INTAKE_MAX_TOOL_ROUNDS, MAX_FINDINGS_CHARS } from '../limits/intakeLimits.ts';

/** What people read about a turn that ended early, by its reason. */
const OF_ENDS: Readonly<Record<string, string>> = {
  rounds: `The model has used its ${INTAKE_MAX_TOOL_ROUNDS} rounds of look-ups; it could look up nothing more.`,
  cut: "The answer was cut off at the model's output limit.",
  refusal: 'The model has refused to answer.',
};

/** The note for the reason of a turn; null = none is needed. */
export const findEndNote = (reason: string | null): string | null =>
  (reason !== null && Object.hasOwn(OF_ENDS, reason) && OF_ENDS[reason]) || null;

/** toLocaleString is avoided: its first call in a process takes milliseconds. */
const LIMIT = String(MAX_FINDINGS_CHARS).replace(/\B(?=(?:\d{3})+$)/g, ',');

export const FINDINGS_CUT = `The model wrote findings of more than ${LIMIT} characters; the rest was dropped.`;
export const RUN_REPAIRED =
  'The run that the model proposed was not valid JSON. Its values were repaired: check them.';
export const RUN_UNREADABLE =
  'The model proposed an invalid run, so nothing was changed. Ask for it again.';
