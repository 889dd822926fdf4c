import { createMemo, For, Show } from 'solid-js';
import { Markdown } from '../../../shell/markdown/Markdown.tsx';
import { nameHiddenCharacters } from '../diff/hiddenCharacters.ts';
import { splitComment } from './suggestion.ts';

/** A comment of anybody: Markdown, and suggestions as lines that replace those it is about. */
export function CommentBody(props: { body: string; lines: readonly string[] }) {
  // A comment that is read again with the same text is not drawn again.
  const body = createMemo(() => props.body);
  return (
    <div class="comment-body" dir="auto">
      <For each={splitComment(body())}>
        {(part) =>
          'text' in part ? (
            <Markdown text={nameHiddenCharacters(part.text)} />
          ) : (
            <figure class="suggestion">
              <figcaption>Suggested change</figcaption>
              <table class="diff-lines">
                <tbody>
                  <For each={props.lines}>
                    {(line) => <SuggestedLine kind="removed" text={line} />}
                  </For>
                  <For each={part.suggestion}>
                    {(line) => <SuggestedLine kind="added" text={line} />}
                  </For>
                </tbody>
              </table>
              <Show when={part.suggestion.length === 0}>
                <p class="muted">These lines are to be removed.</p>
              </Show>
            </figure>
          )
        }
      </For>
    </div>
  );
}

function SuggestedLine(props: { kind: 'added' | 'removed'; text: string }) {
  return (
    <tr class={props.kind}>
      <td class="code">
        <span class="sign">{props.kind === 'added' ? '+' : '-'}</span>
        <bdi dir="ltr">{nameHiddenCharacters(props.text)}</bdi>
      </td>
    </tr>
  );
}
