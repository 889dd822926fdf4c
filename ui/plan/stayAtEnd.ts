import { onCleanup, onMount } from 'solid-js';

/** How far from the end still counts as the end, px. */
const NEAR = 40;

/**
 * Keeps the end of a growing text in sight for those who read there; who has scrolled up is left
 * alone. `of`: what scrolls, with one element that grows. Answers how to go to the end.
 */
export function stayAtEnd(of: () => HTMLElement | undefined): () => void {
  let atEnd = true;
  const go = () => {
    const place = of();
    place?.scrollTo({ top: place.scrollHeight });
  };
  onMount(() => {
    const place = of();
    if (!place) return;
    const look = () => {
      atEnd = place.scrollHeight - place.scrollTop - place.clientHeight < NEAR;
    };
    const observer = new ResizeObserver(() => atEnd && go());
    for (const child of place.children) observer.observe(child);
    place.addEventListener('scroll', look, { passive: true });
    onCleanup(() => {
      observer.disconnect();
      place.removeEventListener('scroll', look);
    });
  });
  return () => {
    atEnd = true;
    requestAnimationFrame(go);
  };
}
