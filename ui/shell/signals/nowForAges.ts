import { createSignal } from 'solid-js';

/** Between two looks at the clock, ms: ages are shown in minutes. */
const EVERY_MS = 15_000;

const [now, setNow] = createSignal(Date.now());
setInterval(() => setNow(Date.now()), EVERY_MS);

/** Epoch ms, good for ages. */
export const nowForAges = now;
