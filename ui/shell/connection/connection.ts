import type { Client } from '../../../src/api/client/client.ts';
import type { ShellStore } from '../shellStore.ts';
import { isCloudAway, isUnreachable } from '../problems/explainProblem.ts';
import { FileMissing } from '../signals/lazyPart.ts';

/** Between two looks for a runner that does not answer, ms. */
const LOOK_AGAIN_MS = 1_000;

/**
 * Keeps the store's word about the connection: `report` what a request threw, and it looks for the
 * runner until it answers again. `look` looks at once.
 */
export function createRunnerConnection(
  client: Pick<Client, 'health'>,
  shell: ShellStore,
  now: () => number,
) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function look(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    try {
      const { status } = await client.health();
      if (status === 'ok') return shell.trigger.answered();
    } catch (error) {
      // A refusal is an answer too: the runner runs.
      if (!isUnreachable(error)) return shell.trigger.answered();
    }
    shell.trigger.lost({ at: now() });
    later();
  }

  function later(): void {
    timer ??= setTimeout(() => void look(), LOOK_AGAIN_MS);
  }

  return {
    look,
    /** Takes note of an error; true when it was the connection. */
    report(error: unknown): boolean {
      if (isCloudAway(error)) shell.trigger.refusedForCloud();
      // A file does not say why it did not come; a request does.
      if (error instanceof FileMissing) void look();
      if (!isUnreachable(error)) return false;
      shell.trigger.lost({ at: now() });
      later();
      return true;
    },
    /** A stream broke off: whether the runner is gone is not said yet. */
    broke: () => void look(),
  };
}

export type RunnerConnection = ReturnType<typeof createRunnerConnection>;
