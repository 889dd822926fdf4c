import { createResource, Show, Suspense } from 'solid-js';
import { loadPart } from './lazyPart.ts';
import { Problem } from './Problem.tsx';
import './markdown.css';

/**
 * Untrusted Markdown, rendered and sanitized; its headings begin below those of the page by
 * their looks alone.
 */
export function Markdown(props: { text: string }) {
  const [rendered, { refetch }] = createResource(
    () => props.text,
    async (text) => (await loadPart(() => import('./renderMarkdown.ts'))).renderMarkdown(text),
  );
  return (
    <Suspense>
      <Show
        when={!rendered.error}
        fallback={<Problem error={rendered.error} retry={() => void refetch()} />}
      >
        <div class="markdown">{rendered.latest}</div>
      </Show>
    </Suspense>
  );
}
