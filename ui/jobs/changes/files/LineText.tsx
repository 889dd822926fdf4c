import { createMemo, createSignal, For, Show } from 'solid-js';
import { linePieces } from '../code/linePieces.ts';
import type { Token } from '../code/tokens.ts';
import type { DiffLine } from '../diff/diffFile.ts';
import { type Range, wordMarks } from '../diff/wordMarks.ts';
import { CLAMPED_CHARS } from './blocks.ts';

/** Characters that are shown more with each click: a browser breaks a text of this length at once. */
const MORE_CHARS = 5_000;

const SIGN = { same: ' ', added: '+', removed: '-', hunk: ' ' } as const;

function marksOf(line: DiffLine, other: DiffLine | undefined): Range[] {
  if (!other) return [];
  return line.kind === 'removed'
    ? wordMarks(line.text, other.text).before
    : wordMarks(other.text, line.text).after;
}

/** What a carriage return at the end of a line looks like where line ends have changed. */
const shownText = (line: DiffLine, other: DiffLine | undefined): string => {
  if (!line.text.endsWith('\r')) return line.text;
  const differs = other !== undefined && !other.text.endsWith('\r');
  return differs ? line.text : line.text.slice(0, -1);
};

/** The text of a line with its colours; what cannot be seen is shown by name. */
export function LineText(props: {
  line: DiffLine;
  other: DiffLine | undefined;
  tokens: readonly Token[] | undefined;
}) {
  const [limit, setLimit] = createSignal(CLAMPED_CHARS);
  const text = createMemo(() => shownText(props.line, props.other));
  const marks = createMemo(() => marksOf(props.line, props.other));
  const pieces = createMemo(() =>
    linePieces({ text: text().slice(0, limit()), tokens: props.tokens ?? [], marks: marks() }),
  );
  const left = () => text().length - limit();
  return (
    <>
      <span class="sign">{SIGN[props.line.kind]}</span>
      <bdi class="line-text" dir="ltr">
        <For each={pieces()}>
          {({ text: shown, kind, marked, hidden }) =>
            kind === null && !marked && !hidden ? (
              shown
            ) : (
              <span
                classList={{ marked, 'hidden-character': hidden, [`code-${kind}`]: kind !== null }}
                title={
                  hidden
                    ? 'A character that is invisible or changes the order of others'
                    : undefined
                }
              >
                {shown}
              </span>
            )
          }
        </For>
      </bdi>
      <Show when={left() > 0}>
        <button type="button" class="more-text" onClick={() => setLimit(limit() + MORE_CHARS)}>
          Show {Math.min(left(), MORE_CHARS).toLocaleString('en')} of {left().toLocaleString('en')}{' '}
          more characters
        </button>
      </Show>
      <Show when={props.line.noNewline}>
        <span class="no-newline"> No newline at end of file</span>
      </Show>
    </>
  );
}
