import { createMemo, Show } from 'solid-js';
import { briefReason } from './plainText.ts';
import './foldedReason.css';

/**
 * Why something failed: what happened in a line. What a program has written, such as a stack, is
 * folded below it.
 */
export function FoldedReason(props: { reason: string }) {
  const brief = createMemo(() => briefReason(props.reason));
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
