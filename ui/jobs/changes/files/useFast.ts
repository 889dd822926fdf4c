import { type Accessor, createEffect, createSignal, on, onCleanup } from 'solid-js';

/** Above this, px a millisecond, no one reads: a wheel turned by hand stays far below. */
const READABLE_PX_PER_MS = 5;
/** Two looks further apart than this are a jump, after which the reader stays, ms. */
const SAME_MOVE_MS = 100;
/** Once it is slow for as long as this, it rests, ms. */
const REST_MS = 120;

/** Whether the page flies past, as while its scroll bar is dragged: faster than anyone can read. */
export function useFast(top: Accessor<number>, now = () => performance.now()): Accessor<boolean> {
  const [isFast, setFast] = createSignal(false);
  let before = { top: top(), at: Number.NEGATIVE_INFINITY };
  let rest: ReturnType<typeof setTimeout> | undefined;
  createEffect(
    on(top, (px) => {
      const last = before;
      before = { top: px, at: now() };
      const ms = before.at - last.at;
      if (ms > SAME_MOVE_MS || Math.abs(px - last.top) <= ms * READABLE_PX_PER_MS) return;
      clearTimeout(rest);
      rest = setTimeout(() => setFast(false), REST_MS);
      setFast(true);
    }),
  );
  onCleanup(() => clearTimeout(rest));
  return isFast;
}
