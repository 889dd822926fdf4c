import { createMemo, createSignal, For, Show } from 'solid-js';
import { Icon } from '../../shell/Icon.tsx';
import { type DiffFile, type DiffLine, parseDiff } from './diff.ts';
import { LineCommentForm, type OnComment } from './LineCommentForm.tsx';

/** Lines above which a file is closed at first: the browser draws every one of them. */
const MANY_LINES = 600;

const SIGN = { same: ' ', added: '+', removed: '-', hunk: '', note: '' } as const;

/**
 * A unified diff, file by file; a line can be commented on where the diff belongs to something that
 * is open.
 */
export function DiffView(props: { text: string; onComment: OnComment | null }) {
  // Kept for as long as the text is the same, so that what was opened stays open.
  const files = createMemo(() => parseDiff(props.text));
  return (
    <div class="stack diff">
      <p class="muted">
        {files().length} {files().length === 1 ? 'file' : 'files'} changed
      </p>
      <For each={files()}>{(file) => <FileDiff file={file} onComment={props.onComment} />}</For>
    </div>
  );
}

function FileDiff(props: { file: DiffFile; onComment: OnComment | null }) {
  const [open, setOpen] = createSignal(props.file.lines.length <= MANY_LINES);
  const [commented, setCommented] = createSignal<DiffLine | null>(null);
  return (
    <details
      class="card diff-file"
      open={open()}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <Icon name="file" />
        <code class="grow">
          {props.file.from === null ? props.file.path : `${props.file.from} → ${props.file.path}`}
        </code>
        <Show when={props.file.change !== 'changed'}>
          <small>{props.file.change}</small>
        </Show>
        <span class="plus">+{props.file.added}</span>{' '}
        <span class="minus">−{props.file.removed}</span>
      </summary>
      <Show when={open()}>
        <section class="scroll" tabindex="0" aria-label={`Changes in ${props.file.path}`}>
          <table>
            <tbody>
              <For each={props.file.lines}>
                {(line) => (
                  <>
                    <tr class={line.kind}>
                      <td class="number">{line.before}</td>
                      <td class="number">{line.after}</td>
                      <td class="code">
                        <Show
                          when={props.onComment && line.kind !== 'hunk' && line.kind !== 'note'}
                        >
                          <button
                            type="button"
                            class="comment-line"
                            aria-label={`Comment on line ${line.after ?? line.before}`}
                            onClick={() => setCommented(commented() === line ? null : line)}
                          >
                            <Icon name="plus" />
                          </button>
                        </Show>
                        <span class="sign">{SIGN[line.kind]}</span>
                        {line.text}
                      </td>
                    </tr>
                    <Show when={commented() === line && props.onComment}>
                      {(say) => (
                        <tr class="comment">
                          <td colspan="3">
                            <LineCommentForm
                              path={props.file.path}
                              line={line}
                              say={say()}
                              close={() => setCommented(null)}
                            />
                          </td>
                        </tr>
                      )}
                    </Show>
                  </>
                )}
              </For>
            </tbody>
          </table>
        </section>
      </Show>
    </details>
  );
}
