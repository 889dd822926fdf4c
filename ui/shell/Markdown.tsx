import { createEffect, createResource, onCleanup, Show, Suspense } from 'solid-js';
import { loadPart } from './lazyPart.ts';
import { Problem } from './Problem.tsx';
import { type Heading, renderInSlices } from './renderInSlices.ts';
import './markdown.css';

const load = async () => (await loadPart(() => import('./renderMarkdown.ts'))).renderMarkdown;

/** Loads what renders Markdown, before there is a text: its file takes as long as a request. */
export const prepareMarkdown = (): void => void load().catch(() => {});

interface MarkdownProps {
  text: string;
  /** Receives the headings as they are shown; none at first. */
  onHeadings?: (headings: readonly Heading[]) => void;
}

/**
 * Untrusted Markdown, rendered and sanitized; its headings begin below those of the page by
 * their looks alone. A long text appears from its start on.
 */
export function Markdown(props: MarkdownProps) {
  const [renderer, { refetch }] = createResource(load);
  return (
    <Suspense>
      <Show
        when={!renderer.error}
        fallback={<Problem error={renderer.error} retry={() => void refetch()} />}
      >
        <Show when={renderer.latest}>{(render) => <Rendered {...props} render={render()} />}</Show>
      </Show>
    </Suspense>
  );
}

function Rendered(props: MarkdownProps & { render: (markdown: string) => DocumentFragment }) {
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
