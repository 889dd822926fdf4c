import { type Accessor, createSignal, onCleanup, onMount } from 'solid-js';

/** True once the first paint is done: for parts that would hold up that paint. */
export function createPaintSignal(): Accessor<boolean> {
  const [painted, setPainted] = createSignal(false);
  onMount(() => {
    let timer = 0;
    const frame = requestAnimationFrame(() => {
      timer = window.setTimeout(() => setPainted(true));
    });
    onCleanup(() => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    });
  });
  return painted;
}
