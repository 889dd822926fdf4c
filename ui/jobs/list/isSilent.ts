/** How long an agent at work may write nothing before lists mark it, minutes. */
const SILENT_MINUTES = 10;

/** Whether an agent that wrote last at `at` (ISO) has been silent for long. `now` is epoch ms. */
export const isSilent = (at: string, now: number): boolean =>
  now - Date.parse(at) >= SILENT_MINUTES * 60_000;
