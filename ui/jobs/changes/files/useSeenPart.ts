import { createSignal, onCleanup, onMount } from 'solid-js';

/** What is seen of a box, px from its top. */
export interface SeenPart {
  top: number;
  bottom: number;
}

/** The part of a box that is in the window, updated at most once per frame. */
export function useSeenPart(box: () => HTMLElement | undefined): {
  seen: () => SeenPart;
  width: () => number;
} {
  // Until it is measured: something is above it.
  const [partInView, setPartInView] = createSignal<SeenPart>({ top: 0, bottom: innerHeight / 2 });
  const [width, setWidth] = createSignal(0);
  let frame = 0;
  const look = () => {
    frame = 0;
    const rect = box()?.getBoundingClientRect();
    if (!rect) return;
    setWidth(rect.width);
    setPartInView({ top: -rect.top, bottom: innerHeight - rect.top });
  };
  const soon = () => {
    frame ||= requestAnimationFrame(look);
  };
  onMount(() => {
    const element = box();
    if (!element) return;
    look();
    // In the capturing phase: boxes that scroll do not let it bubble.
    document.addEventListener('scroll', soon, { capture: true, passive: true });
    window.addEventListener('resize', soon);
    const observer = new ResizeObserver(soon);
    observer.observe(element);
    onCleanup(() => {
      cancelAnimationFrame(frame);
      document.removeEventListener('scroll', soon, { capture: true });
      window.removeEventListener('resize', soon);
      observer.disconnect();
    });
  });
  return { seen: partInView, width };
}
