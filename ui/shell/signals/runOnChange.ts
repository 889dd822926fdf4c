import { createEffect, createMemo, on } from 'solid-js';

/**
 * Runs when the value becomes another one. `on` alone runs whenever something that the value is
 * made of was set, also to the same: a list that is read again would then scroll, close or clear
 * what a person is at. `defer`: not for the first value.
 */
export function runOnChange<T>(
  value: () => T,
  run: (now: T, before: T | undefined) => void,
  { defer = false } = {},
): void {
  createEffect(on(createMemo(value), (now, before) => run(now, before), { defer }));
}
