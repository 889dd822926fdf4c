import { createSignal, onCleanup, onMount } from 'solid-js';
import type { Rect } from './picture/drawing.ts';
import {
  clampScale,
  computeCloseScale,
  type Extent,
  computeFirstScale,
  computeFitScale,
  scrollToKeep,
  scrollToMiddle,
  findNextScale,
} from './viewport.ts';

const BELOW_PX = 24;
/** Parts of the window: with less room than LOW below its top, the picture may be as high as HIGH. */
const LOW = 0.35;
const HIGH = 0.78;
/** The picture is never less high than this, px. */
const LEAST_HEIGHT_PX = 320;

export function useViewport(box: () => HTMLElement | undefined, drawing: () => Extent | undefined) {
  const [scale, setScale] = createSignal(1);
  /** What is seen of the drawing, in its own units. */
  const [visiblePart, setVisiblePart] = createSignal<Rect>({ x: 0, y: 0, width: 0, height: 0 });
  /** Nothing was zoomed or moved by hand: another size of the window fits it again. */
  let initialView: Rect | 'whole' | null = null;

  /** Highest that the box may be, px. */
  let room = 0;
  /** As high as the window has room below the top of the box, but never a mere strip. */
  function setRoom(element: HTMLElement): void {
    const top = element.getBoundingClientRect().top + window.scrollY;
    const below = window.innerHeight - top - BELOW_PX;
    const height = below < window.innerHeight * LOW ? window.innerHeight * HIGH : below;
    room = Math.max(LEAST_HEIGHT_PX, height);
    element.style.setProperty('--graph-room', `${room}px`);
  }
  const extent = (element: HTMLElement): Extent => ({
    width: element.clientWidth - 2,
    height: Math.max(element.clientHeight, room) - 2,
  });
  const look = () => {
    const element = box();
    if (!element) return;
    setVisiblePart({
      x: element.scrollLeft / scale(),
      y: element.scrollTop / scale(),
      width: element.clientWidth / scale(),
      height: element.clientHeight / scale(),
    });
  };

  /** Zooms; `pointer` (from the view's corner) stays where it is, default: the middle. */
  function zoomTo(wantedScale: number, pointer?: { x: number; y: number }): void {
    const element = box();
    if (!element) return;
    const [from, to] = [scale(), clampScale(wantedScale)];
    const view = extent(element);
    const at = pointer ?? { x: view.width / 2, y: view.height / 2 };
    const scroll = scrollToKeep({ x: element.scrollLeft, y: element.scrollTop }, at, from, to);
    initialView = null;
    setScale(to);
    element.scrollTo(scroll.x, scroll.y);
    look();
  }

  function showAll(): void {
    const [element, size] = [box(), drawing()];
    if (!element || !size) return;
    setRoom(element);
    initialView = 'whole';
    setScale(computeFitScale(size, extent(element)));
    look();
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
    const isVisible =
      left >= 0 &&
      top >= 0 &&
      left + place.width * scale() <= view.width &&
      top + place.height * scale() <= view.height;
    if (gently && isVisible) return;
    const scroll = scrollToMiddle(place, view, scale());
    element.scrollTo(scroll.x, scroll.y);
    look();
  }

  /** Brings a place close, with what is around it. */
  function closeUp(place: Rect): void {
    const element = box();
    if (!element) return;
    initialView = null;
    setScale(computeCloseScale(place, extent(element)));
    show(place);
    look();
  }

  /** As it is first seen: all of it, or, where that could not be read, what matters in the middle. */
  function begin(place: Rect | undefined): void {
    const [element, size] = [box(), drawing()];
    if (!element || !size) return;
    setRoom(element);
    initialView = place ?? 'whole';
    setScale(computeFirstScale(size, extent(element)));
    if (place) show(place);
    look();
  }

  function centre(x: number, y: number): void {
    const element = box();
    if (!element) return;
    initialView = null;
    const scroll = scrollToMiddle({ x, y, width: 0, height: 0 }, extent(element), scale());
    element.scrollTo(scroll.x, scroll.y);
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
    // Before there is a drawing, the room that it may take is kept free.
    if (element) setRoom(element);
    // Solid's own listeners for the wheel are passive: the page would zoom with the picture.
    element?.addEventListener('wheel', wheel, { passive: false });
    element?.addEventListener('pointerdown', press);
    element?.addEventListener('scroll', look, { passive: true });
    let width = 0;
    const observer = new ResizeObserver(([entry]) => {
      const now = Math.round(entry?.contentRect.width ?? 0);
      // The height follows from the scale: reacting to it would never end.
      if (now === width) return;
      const first = width === 0;
      width = now;
      if (first || initialView === null) look();
      else if (initialView === 'whole') begin(undefined);
      else begin(initialView);
    });
    if (element) observer.observe(element);
    onCleanup(() => {
      observer.disconnect();
      element?.removeEventListener('scroll', look);
      element?.removeEventListener('wheel', wheel);
      element?.removeEventListener('pointerdown', press);
    });
  });

  return {
    scale,
    zoomTo,
    /** The scale where a person has chosen it; null = the picture chose it. */
    chosenScale: (): number | null => {
      const now = scale();
      return initialView === null ? now : null;
    },
    zoomIn: () => zoomTo(findNextScale(scale(), 1)),
    zoomOut: () => zoomTo(findNextScale(scale(), -1)),
    showAll,
    show,
    begin,
    closeUp,
    centre,
    seen: visiblePart,
  };
}
