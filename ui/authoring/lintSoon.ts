import type { Client } from '../../src/api/client/client.ts';
import type { LintBody, LintReply } from '../../src/contract/schema/workflow/intelligence.ts';

/** How long the text has to rest before it is linted, ms. */
const REST_MS = 250;

/** Lints the newest text once it rests. Returns functions for each text, and for the end. */
export function lintSoon(
  client: Pick<Client, 'lintWorkflow'>,
  where: Omit<LintBody, 'text'>,
  {
    found,
    onFail: failed,
  }: { found(reply: LintReply, text: string): void; onFail(error: unknown): void },
): { look(text: string): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = new AbortController();
  const stop = () => {
    clearTimeout(timer);
    asking.abort();
  };
  return {
    look(text) {
      stop();
      asking = new AbortController();
      const { signal } = asking;
      timer = setTimeout(() => {
        client.lintWorkflow({ ...where, text }, { signal }).then(
          (reply) => !signal.aborted && found(reply, text),
          (error) => !signal.aborted && failed(error),
        );
      }, REST_MS);
    },
    stop,
  };
}
