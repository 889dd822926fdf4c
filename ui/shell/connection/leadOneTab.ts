/** How long the leading tab has for an answer, ms; a browser may have put it to sleep. */
const ANSWER_MS = 4_000;

/** What tabs of one browser send each other. `to` = for this tab alone. */
type Message<Reported> = { hello: string } | { reported: Reported | null; to?: string };

interface TabRoles<Reported> {
  /** Does what only one tab is to do, until the signal is aborted; `tell` reaches the others. */
  lead(until: AbortSignal, tell: (report: Reported) => void): Promise<void>;
  /** What the leading tab answers one that has just come; null = nothing to say yet. */
  answer(): Reported | null;
  hear(report: Reported): void;
}

const isAborted = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError';

/**
 * Lets one tab of the browser lead and tell the others, until the signal is aborted or leading has
 * come to its end. When the leading tab is closed, another takes its place; from one that sleeps it
 * is taken. Where the browser cannot do that (a page that came over plain HTTP from another
 * machine) every tab leads.
 *
 * @throws what `lead` throws
 */
export async function leadOneTab<Reported>(
  name: string,
  signal: AbortSignal,
  { lead, answer, hear }: TabRoles<Reported>,
): Promise<void> {
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return lead(signal, () => {});
  const me = crypto.randomUUID();
  const channel = new BroadcastChannel(name);
  const say = (message: Message<Reported>) => channel.postMessage(message);
  let leading = false;
  let steal = false;
  let abort = new AbortController();
  let answerTimeout: ReturnType<typeof setTimeout> | undefined;

  const ask = () => {
    if (leading) return;
    say({ hello: me });
    clearTimeout(answerTimeout);
    answerTimeout = setTimeout(() => {
      steal = true;
      abort.abort();
    }, ANSWER_MS);
  };
  const askWhenVisible = () => document.visibilityState === 'visible' && ask();
  channel.onmessage = ({ data }: MessageEvent<Message<Reported>>) => {
    if ('hello' in data) {
      if (leading) say({ reported: answer(), to: data.hello });
      return;
    }
    if (data.to !== undefined && data.to !== me) return;
    clearTimeout(answerTimeout);
    if (data.reported !== null) hear(data.reported);
  };

  /** False when its turn did not come, or was taken away. */
  async function turn(options: LockOptions): Promise<boolean> {
    const abortController = new AbortController();
    try {
      await locks?.request(name, options, async () => {
        leading = true;
        clearTimeout(answerTimeout);
        await lead(AbortSignal.any([signal, abortController.signal]), (report) =>
          say({ reported: report }),
        );
      });
      return true;
    } catch (error) {
      if (!isAborted(error)) throw error;
      return false;
    } finally {
      leading = false;
      abortController.abort();
    }
  }

  document.addEventListener('visibilitychange', askWhenVisible);
  ask();
  try {
    for (let over = false; !over && !signal.aborted; ) {
      abort = new AbortController();
      const options = steal ? { steal } : { signal: abort.signal };
      steal = false;
      over = await turn(options);
    }
  } finally {
    clearTimeout(answerTimeout);
    document.removeEventListener('visibilitychange', askWhenVisible);
    channel.close();
  }
}
