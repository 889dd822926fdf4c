/** One arrow of the chart to `ended.failed`. */
interface WayToFail {
  guard: string;
  from: readonly string[];
  cause: string;
  /** Why the job cannot be parked instead. */
  why: string;
}

/**
 * Every way to `ended.failed`; everything else that goes wrong parks the job. Tests compare the
 * list with the chart and the documentation.
 */
export const WAYS_TO_FAIL: readonly WayToFail[] = [
  {
    guard: 'sessionBroke',
    from: ['working.settling'],
    cause:
      'The program of a `command:` agent ran and ended with an exit code of its own other than 0 and 75 (`own-exit`). Codes 126 and 127 do not count: with them a shell reports that it could not start a command. An exit after a call that a forge or tracker refused or did not answer, or for which the phase lacks the tool, does not count either.',
    why: "The exit code is the program's answer: svc knows of nothing to repair, and scripts rely on it.",
  },
  {
    guard: 'sessionBroke',
    from: ['working.settling'],
    cause:
      'A session used up its time (`runner.sessionMinutes`) or its output (`limit`), or svc 0.2 recorded an error of a session without its source. A session that wrote nothing, or whose last call a forge or tracker refused, does not count.',
    why: 'The limit exists to end work that does not end by itself; another session would reach it again.',
  },
  {
    guard: 'gateFails',
    from: ['working.routing', 'parked.released'],
    cause:
      'The completion gate has blocked the end of the job as often as it may (`COMPLETION_GATE_MAX_RETRIES`).',
    why: 'The specification demands it, and the agent has been asked each time.',
  },
];
