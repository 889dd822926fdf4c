/**
 * Why a session is over. `interrupted`: the runner ended it. `limit`: one of the runner's own
 * limits of time or output. `quota`: the model's endpoint accepts no more requests for a while
 * (429, 529, a usage limit); the job waits and continues by itself. `died`: the agent's process
 * ended without a result (killed, crashed); it is started again. `stuck`: the agent cannot come to
 * an end on its own (it refuses, its answers are cut off or empty, it used up its turns, it repeats
 * a call that fails); the job keeps its branch and waits for a person. `error`: anything else that
 * went wrong; the fault decides how the job continues (`sessionFaults.ts`).
 */
export const STOP_REASONS = [
  'end_turn',
  'pause_turn',
  'interrupted',
  'error',
  'limit',
  'quota',
  'died',
  'stuck',
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** What ended a session without the agent's fault. `repair`: an error that does not end the job. */
export type Setback = Extract<StopReason, 'died' | 'quota'> | 'budget' | 'disk' | 'repair';

/**
 * Why a turn is over, in the agents' own terms. `empty`: its last answer held neither text nor a
 * call; the runner asks once more, then the session is `stuck`.
 */
export const TURN_STOPS = [
  'end_turn',
  'interrupted',
  'tool_use',
  'pause_turn',
  'max_tokens',
  'max_turns',
  'refusal',
  'empty',
  'error',
] as const;
export type TurnStop = (typeof TURN_STOPS)[number];
