import type { Client } from '../../../src/api/client/client.ts';
import type { ShellStore } from '../shellStore.ts';

/** Between two looks at the connection of a runner to its control plane, ms. */
const LOOK_MS = 5_000;
/** The same for a runner without a control plane, which may get one, ms. */
const RARE_LOOK_MS = 60_000;

interface FollowCloud {
  client: Pick<Client, 'health'>;
  shell: ShellStore;
  signal: AbortSignal;
}

/** Keeps in the store whether the runner waits for its control plane. Hidden pages do not look. Never throws. */
export function followCloud({ client, shell, signal }: FollowCloud): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = async (): Promise<void> => {
    clearTimeout(timer);
    let nextMs = LOOK_MS;
    try {
      const { cloud } = await client.health();
      if (cloud === undefined) nextMs = RARE_LOOK_MS;
      const { place, changes, since } = cloud?.state ?? {
        place: 'runner',
        changes: 0,
        since: null,
      };
      shell.trigger.cloudWaits({
        wait: place === 'waiting' && since !== null ? { since, changes } : null,
      });
    } catch {
      // The runner does not answer, which is reported elsewhere.
    }
    if (signal.aborted || document.visibilityState === 'hidden') return;
    clearTimeout(timer);
    timer = setTimeout(() => void look(), nextMs);
  };
  const lookWhenVisible = () => void (document.visibilityState === 'visible' && look());
  document.addEventListener('visibilitychange', lookWhenVisible, { signal });
  signal.addEventListener('abort', () => clearTimeout(timer));
  // A change that was refused for it must be explained at once.
  let { refusals } = shell.getSnapshot().context;
  const following = shell.subscribe(({ context }) => {
    if (context.refusals === refusals) return;
    refusals = context.refusals;
    void look();
  });
  signal.addEventListener('abort', () => following.unsubscribe());
  void look();
}
