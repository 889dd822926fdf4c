import { type Accessor, createSignal } from 'solid-js';

/** Between two looks at the clock, ms: ages are shown in minutes. */
const EVERY_MS = 15_000;

let clock: Accessor<number> | undefined;

function createClock(): Accessor<number> {
  const [now, setNow] = createSignal(Date.now());
  setInterval(() => setNow(Date.now()), EVERY_MS);
  return now;
}

/** Epoch ms, good for ages. The clock starts with the first age: a test that only imports this can end. */
export function nowForAges(): number {
  clock ??= createClock();
  return clock();
}
