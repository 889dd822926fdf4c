import { createEffect, on, onCleanup } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { useStore } from '../shell/useStore.ts';

/**
 * Reads something of the control plane, again once a lost connection is healed, and every so often while the page is
 * seen: no stream tells of it. `everyMs` null = not by itself.
 */
export function createTeamReading<Value>(
  read: () => Promise<Value>,
  everyMs: number | null = null,
) {
  const reconnects = useStore(useDashboard().shell, (context) => context.healed);
  const [reading, { refetch }] = createReading(read);
  createEffect(on(reconnects, () => void refetch(), { defer: true }));
  if (everyMs !== null) {
    const timer = setInterval(() => {
      if (!document.hidden) void refetch();
    }, everyMs);
    onCleanup(() => clearInterval(timer));
  }
  return [reading, refetch] as const;
}
