import { createEffect, onCleanup, Show } from 'solid-js';
import { createReading } from '../signals/createReading.ts';
import { loadPart } from '../signals/lazyPart.ts';
import { yieldToBrowser } from '../signals/yieldToBrowser.ts';
import { Problem } from '../problems/Problem.tsx';
import { type Heading, renderInSlices } from './renderInSlices.ts';
import './markdown.css';

/** Something of everything, so that the first text that is shown takes no longer than others. */
const REHEARSED =
  '# A\n\nb *c* **d** `e` [f](https://g.h)\n\n- i\n\n> j\n\n| k |\n|---|\n| l |\n\n~~~\nm\n~~~\n';

const loadOnce = async () => {
  const { renderMarkdown } = await loadPart(() => import('./renderMarkdown.ts'));
  // Each in a task of its own: the file, and what is compiled when it is used for the first time.
  await yieldToBrowser();
  renderMarkdown(REHEARSED);
  await yieldToBrowser();
  return renderMarkdown;
};

let rendering: ReturnType<typeof loadOnce> | null = null;

/** What renders Markdown; loaded once, and again after a failure. */
const loadRenderer = (): ReturnType<typeof loadOnce> => {
  rendering ??= loadOnce().catch((error: unknown) => {
    rendering = null;
    throw error;
  });
  return rendering;
};

/** Loads what renders Markdown, before there is a text: its file takes as long as a request. */
export const prepareMarkdown = (): void => void loadRenderer().catch(() => {});

interface MarkdownProps {
  text: string;
  /** Receives the headings as they are shown; none at first. */
  onHeadings?: (headings: readonly Heading[]) => void;
}

/** Untrusted Markdown, sanitized. A long text appears from its start on. */
export function Markdown(props: MarkdownProps) {
  const [renderer, { refetch }] = createReading(loadRenderer);
  return (
    <Show
      when={!renderer.error}
      fallback={<Problem error={renderer.error} retry={() => void refetch()} />}
    >
      <Show when={renderer.latest}>
        {(render) => <RenderedMarkdown {...props} render={render()} />}
      </Show>
    </Show>
  );
}

function RenderedMarkdown(
  props: MarkdownProps & { render: (markdown: string) => DocumentFragment },
) {
  const place = (<div class="markdown" dir="auto" />) as HTMLDivElement;
  createEffect(() => {
    const stop = new AbortController();
    onCleanup(() => stop.abort());
    props.onHeadings?.([]);
    void renderInSlices(props.text, {
      place,
      render: props.render,
      onHeadings: props.onHeadings,
      signal: stop.signal,
    });
  });
  return place;
}
