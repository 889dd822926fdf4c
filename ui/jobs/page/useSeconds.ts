import { createEffect, createSignal, onCleanup } from 'solid-js';
import { nowForAges } from '../../shell/signals/nowForAges.ts';

/** Epoch ms, of every second while `active`, else as for ages: for lengths of what runs. */
export function useSeconds(active: () => boolean): () => number {
  const [now, setNow] = createSignal(Date.now());
  createEffect(() => {
    if (!active()) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    onCleanup(() => clearInterval(timer));
  });
  return () => (active() ? now() : Math.max(now(), nowForAges()));
}
