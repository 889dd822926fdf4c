import { createSignal, onCleanup, onMount } from 'solid-js';
import type { Rect } from './drawing.ts';
import {
  clampScale,
  type Extent,
  firstScale,
  fitScale,
  scrollToKeep,
  scrollToMiddle,
  stepScale,
} from './viewport.ts';

/**
 * Zoom and place of a drawing in a box that scrolls: the scroll bars, the wheel and touch move it
 * as they move every page.
 */
export function useViewport(box: () => HTMLElement | undefined, drawing: () => Extent | undefined) {
  const [scale, setScale] = createSignal(1);
  const extent = (element: HTMLElement): Extent => ({
    width: element.clientWidth - 2,
    height: element.clientHeight - 2,
  });

  /** Zooms; `pointer` (from the view's corner) stays where it is, default: the middle. */
  function zoomTo(wanted: number, pointer?: { x: number; y: number }): void {
    const element = box();
    if (!element) return;
    const [from, to] = [scale(), clampScale(wanted)];
    const view = extent(element);
    const at = pointer ?? { x: view.width / 2, y: view.height / 2 };
    const scroll = scrollToKeep({ x: element.scrollLeft, y: element.scrollTop }, at, from, to);
    setScale(to);
    element.scrollTo(scroll.x, scroll.y);
  }

  function showAll(): void {
    const [element, size] = [box(), drawing()];
    if (element && size)
      setScale(
        fitScale(size, {
          ...extent(element),
          height: Number.parseFloat(getComputedStyle(element).maxHeight) || Infinity,
        }),
      );
  }

  /** Brings a place into view; `gently` only where it is not seen. */
  function show(place: Rect, gently = false): void {
    const element = box();
    if (!element) return;
    const view = extent(element);
    const [left, top] = [
      place.x * scale() - element.scrollLeft,
      place.y * scale() - element.scrollTop,
    ];
    const seen =
      left >= 0 &&
      top >= 0 &&
      left + place.width * scale() <= view.width &&
      top + place.height * scale() <= view.height;
    if (gently && seen) return;
    const scroll = scrollToMiddle(place, view, scale());
    element.scrollTo(scroll.x, scroll.y);
  }

  /** As it is first seen. */
  function begin(place: Rect | undefined): void {
    const [element, size] = [box(), drawing()];
    if (!element || !size) return;
    setScale(firstScale(size, extent(element)));
    if (place) show(place);
  }

  const wheel = (event: WheelEvent) => {
    const element = box();
    if (!element || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    const corner = element.getBoundingClientRect();
    zoomTo(scale() * Math.exp(-event.deltaY / 300), {
      x: event.clientX - corner.left,
      y: event.clientY - corner.top,
    });
  };

  /** A mouse that is pressed on the ground and moved draws the picture along. */
  const press = (event: PointerEvent) => {
    const element = box();
    if (!element || event.pointerType !== 'mouse' || event.button !== 0) return;
    if (event.target instanceof Element && event.target.closest('[role=button]')) return;
    const start = { x: element.scrollLeft + event.clientX, y: element.scrollTop + event.clientY };
    const move = (next: PointerEvent) =>
      element.scrollTo(start.x - next.clientX, start.y - next.clientY);
    const release = () => window.removeEventListener('pointermove', move);
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', release, { once: true });
  };

  onMount(() => {
    const element = box();
    // Solid's own listeners for the wheel are passive: the page would zoom with the picture.
    element?.addEventListener('wheel', wheel, { passive: false });
    element?.addEventListener('pointerdown', press);
    onCleanup(() => {
      element?.removeEventListener('wheel', wheel);
      element?.removeEventListener('pointerdown', press);
    });
  });

  return {
    scale,
    zoomIn: () => zoomTo(stepScale(scale(), 1)),
    zoomOut: () => zoomTo(stepScale(scale(), -1)),
    showAll,
    show,
    begin,
  };
}
