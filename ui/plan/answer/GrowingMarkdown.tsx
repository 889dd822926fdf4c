import { createEffect, onCleanup, Show } from 'solid-js';
import { createReading } from '../../shell/signals/createReading.ts';
import { loadPart } from '../../shell/signals/lazyPart.ts';
import { Problem } from '../../shell/problems/Problem.tsx';
import { decorateAnswer } from './decorateAnswer.ts';
import { GrowingText } from './growingText.ts';
import '../../shell/markdown/markdown.css';

interface GrowingProps {
  text: string;
  /** True once no more text will follow. */
  over: boolean;
}

/** Markdown of a model while it is written, and afterwards; its citations are buttons. */
export function GrowingMarkdown(props: GrowingProps) {
  const [renderer, { refetch }] = createReading(() =>
    loadPart(() => import('../../shell/markdown/renderMarkdown.ts')),
  );
  return (
    <Show
      when={!renderer.error}
      fallback={<Problem error={renderer.error} retry={() => void refetch()} />}
    >
      <Show when={renderer.latest}>
        {(loadedRenderer) => <Growing {...props} render={loadedRenderer().renderMarkdown} />}
      </Show>
    </Show>
  );
}

function Growing(props: GrowingProps & { render: (markdown: string) => DocumentFragment }) {
  const place = (<div class="markdown" dir="auto" />) as HTMLDivElement;
  const growing = new GrowingText({
    place,
    render: (block) => decorateAnswer(props.render(block), block),
    now: () => performance.now(),
    schedule(act, ms) {
      const timer = setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
  });
  createEffect(() => growing.show(props.text, props.over));
  onCleanup(() => growing.stop());
  return place;
}
