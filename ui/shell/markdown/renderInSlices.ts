import { sliceMarkdown } from './sliceMarkdown.ts';
import { yieldToBrowser } from '../signals/yieldToBrowser.ts';

/** Slices at the start that are more than a screen. */
const FIRST_SCREEN = 4;
/** Longest work without a pause, ms: the page answers to a key or a click in between. */
const SLICE_MS = 8;
/** Height of a line of text and characters of it, about: for slices that are not laid out yet. */
const LINE_REM = 1.5;
const LINE_CHARS = 90;

export interface Heading {
  /** 1 to 6. */
  level: number;
  text: string;
  element: HTMLElement;
}

interface Target {
  place: HTMLElement;
  render: (markdown: string) => DocumentFragment;
  /** Called for each slice that has headings, with all headings so far. */
  onHeadings?: ((headings: readonly Heading[]) => void) | undefined;
  signal: AbortSignal;
}

const countSliceLines = (slice: string): number =>
  slice.split('\n').reduce((lines, line) => lines + Math.ceil(line.length / LINE_CHARS), 0);

const listSliceHeadings = (slice: HTMLElement): Heading[] =>
  [...slice.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6')].map((element) => ({
    level: Number(element.tagName.slice(1)),
    text: element.textContent?.trim() ?? '',
    element,
  }));

/** Shows Markdown slice by slice, so that the page stays responsive. Ends with the signal. */
export async function renderInSlices(text: string, target: Target): Promise<void> {
  const { place, render, onHeadings, signal } = target;
  const headings: Heading[] = [];
  place.replaceChildren();
  let beganAt = performance.now();
  for (const [index, slice] of sliceMarkdown(text).entries()) {
    if (performance.now() - beganAt >= SLICE_MS) {
      await yieldToBrowser();
      if (signal.aborted) return;
      beganAt = performance.now();
    }
    const part = document.createElement('div');
    part.className = index < FIRST_SCREEN ? 'slice' : 'slice later';
    if (index >= FIRST_SCREEN)
      part.style.setProperty(
        'contain-intrinsic-height',
        `auto ${countSliceLines(slice) * LINE_REM}rem`,
      );
    part.append(render(slice));
    place.append(part);
    const sliceHeadings = listSliceHeadings(part);
    headings.push(...sliceHeadings);
    if (sliceHeadings.length > 0) onHeadings?.([...headings]);
  }
}
