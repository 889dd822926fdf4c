import { createMemo, Show } from 'solid-js';
import { splitReason } from './plainText.ts';
import './foldedReason.css';

/** What failed, in a line; a program's output, such as a stack, is folded below. */
export function FoldedReason(props: { reason: string }) {
  const brief = createMemo(() => splitReason(props.reason));
  return (
    <div class="folded-reason" dir="auto">
      <bdi class="said">{brief().says}</bdi>
      <Show when={brief().rest}>
        {(rest) => (
          <details>
            <summary>Show all of it</summary>
            {/* In the tab order: a box that scrolls must be reachable by keyboard. */}
            <pre class="json" tabindex="0">
              {rest()}
            </pre>
          </details>
        )}
      </Show>
    </div>
  );
}
