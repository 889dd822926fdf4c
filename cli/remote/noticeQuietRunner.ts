import type { Io } from '../io.ts';

/**
 * Time without an answer after which the user is informed, ms: longer than the 10 s after which a team's job that waits,
 * and a change without the control plane, are answered.
 */
const QUIET_MS = 15_000;

/**
 * A `fetch` that says, once for each request, that no answer has come for 15 s: a frozen runner
 * takes connections and never answers.
 */
export const noticeQuietRunner =
  (io: Pick<Io, 'after' | 'err'>, send: typeof fetch = fetch): typeof fetch =>
  async (input, init) => {
    const cancel = io.after(QUIET_MS, () => {
      const { host } = new URL(input instanceof Request ? input.url : String(input));
      io.err(
        `${host} has not answered for ${QUIET_MS / 1000} s. It may be busy, or its process frozen (kill -CONT); Ctrl-C ends the wait.\n`,
      );
    });
    try {
      return await send(input, init);
    } finally {
      cancel();
    }
  };
