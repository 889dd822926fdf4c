import type { Frame } from '../../contract/channel/frames.ts';
import { BEAT_MS, LOST_MS } from '../../contract/channel/limits.ts';

/** Beats in a takeover window: the lease of one must not end before the next is answered. */
const BEATS_PER_WINDOW = 4;

/** A runner whose home has a log counts as lost when its takeover window is over, so that it does not wait for longer. */
export const planBeats = (windowMs: number): Pick<Frame<'welcome'>, 'beatMs' | 'lostMs'> => ({
  beatMs: Math.min(BEAT_MS, Math.floor(windowMs / BEATS_PER_WINDOW)),
  lostMs: Math.min(LOST_MS, windowMs),
});
