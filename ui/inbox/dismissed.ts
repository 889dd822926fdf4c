import { createSignal } from 'solid-js';
import { remember, rememberedList } from '../shell/remembered.ts';

/** Most keys that are kept: older ones belong to jobs that are long done. */
const MAX_KEPT = 500;

const [keys, setKeys] = createSignal<ReadonlySet<string>>(new Set(rememberedList('dismissed')));

/** What the person has put aside in this browser: keys of failed and escalated jobs. */
export const dismissedAsks = keys;

/** Puts one aside. */
export function dismissAsk(key: string): void {
  const kept = [...keys(), key].slice(-MAX_KEPT);
  setKeys(new Set(kept));
  remember('dismissed', JSON.stringify(kept));
}
