import { createMemo, createRenderEffect, createSignal, on, Show } from 'solid-js';
import { drawPieces } from '../code/drawPieces.ts';
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

/**
 * The text of a line with its colours; what cannot be seen is shown by name. Without a line it is
 * empty.
 */
export function LineText(props: {
  line: DiffLine | null;
  other: DiffLine | undefined;
  tokens: readonly Token[] | undefined;
}) {
  // Of the line that is shown now: the next one begins short again.
  const line = createMemo(() => props.line);
  const limit = createMemo(on(line, () => createSignal(CLAMPED_CHARS)));
  const shown = () => limit()[0]();
  const more = () => limit()[1]((now) => now + MORE_CHARS);
  const text = createMemo(() => (props.line ? shownText(props.line, props.other) : ''));
  const marks = createMemo(() => (props.line ? marksOf(props.line, props.other) : []));
  const pieces = createMemo(() =>
    linePieces({ text: text().slice(0, shown()), tokens: props.tokens ?? [], marks: marks() }),
  );
  const left = () => text().length - shown();
  return (
    <>
      <span class="sign" textContent={SIGN[props.line?.kind ?? 'same']} />
      <bdi
        class="line-text"
        dir="ltr"
        ref={(element) => createRenderEffect(() => drawPieces(element, pieces()))}
      />
      <Show when={left() > 0}>
        <button type="button" class="more-text" onClick={more}>
          Show {Math.min(left(), MORE_CHARS).toLocaleString('en')} of {left().toLocaleString('en')}{' '}
          more characters
        </button>
      </Show>
      <Show when={props.line?.noNewline}>
        <span class="no-newline"> No newline at end of file</span>
      </Show>
    </>
  );
}
