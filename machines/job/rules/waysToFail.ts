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
      'The program that an agent is (`command:`) has run and ended with an exit code of its own other than 0 and 75 (`own-exit`). 126 and 127, with which a shell reports a command that it cannot start, are not of this kind.',
    why: 'The exit code is the answer of the program: svc cannot know of anything to repair, and scripts rely on it.',
  },
  {
    guard: 'sessionBroke',
    from: ['working.settling'],
    cause:
      'A session has used up its time (`runner.sessionMinutes`) or its output (`limit`), or svc 0.2 has written down an error of a session without where it comes from.',
    why: 'The limit exists to end work that does not come to an end; another session would meet it again.',
  },
  {
    guard: 'gateFails',
    from: ['working.routing', 'parked.released'],
    cause:
      'The completion gate has blocked the end of the job as often as it may (`COMPLETION_GATE_MAX_RETRIES`).',
    why: 'The specification demands it, and the agent has been asked each time.',
  },
];
