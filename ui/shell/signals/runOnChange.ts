import { createEffect, createMemo, on } from 'solid-js';

/**
 * Runs when the value changes. `on` alone also runs when it is set to the same value: a list that
 * is read again would then scroll, close or clear what a person works on. `defer`: not for the
 * first value.
 */
export function runOnChange<T>(
  value: () => T,
  run: (now: T, before: T | undefined) => void,
  { defer = false } = {},
): void {
  createEffect(on(createMemo(value), (now, before) => run(now, before), { defer }));
}
