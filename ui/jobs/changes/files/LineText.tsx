import { createMemo, createRenderEffect, createSignal, on, Show } from 'solid-js';
import { drawPieces } from '../code/drawPieces.ts';
import { splitLinePieces } from '../code/splitLinePieces.ts';
import type { Token } from '../code/tokens.ts';
import type { DiffLine } from '../diff/diffFile.ts';
import { type CharacterRange, markChangedWords } from '../diff/markChangedWords.ts';
import { CLAMPED_CHARS } from './diffBlocks.ts';

/** Characters that are shown more with each click: a browser breaks a text of this length at once. */
const MORE_CHARS = 5_000;

const SIGN = { same: ' ', added: '+', removed: '-', hunk: ' ' } as const;

function findLineMarks(line: DiffLine, other: DiffLine | undefined): CharacterRange[] {
  if (!other) return [];
  return line.kind === 'removed'
    ? markChangedWords(line.text, other.text).before
    : markChangedWords(other.text, line.text).after;
}

/** A visible sign for a carriage return at the end of a line whose line end has changed. */
const toDisplayedLine = (line: DiffLine, other: DiffLine | undefined): string => {
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
  const getShownLimit = () => limit()[0]();
  const more = () => limit()[1]((now) => now + MORE_CHARS);
  const text = createMemo(() => (props.line ? toDisplayedLine(props.line, props.other) : ''));
  const marks = createMemo(() => (props.line ? findLineMarks(props.line, props.other) : []));
  const pieces = createMemo(() =>
    splitLinePieces({
      text: text().slice(0, getShownLimit()),
      tokens: props.tokens ?? [],
      marks: marks(),
    }),
  );
  const countHidden = () => text().length - getShownLimit();
  return (
    <>
      <span class="sign" textContent={SIGN[props.line?.kind ?? 'same']} />
      <bdi
        class="line-text"
        dir="ltr"
        ref={(element) => createRenderEffect(() => drawPieces(element, pieces()))}
      />
      <Show when={countHidden() > 0}>
        <button type="button" class="more-text" onClick={more}>
          Show {Math.min(countHidden(), MORE_CHARS).toLocaleString('en')} of{' '}
          {countHidden().toLocaleString('en')} more characters
        </button>
      </Show>
      <Show when={props.line?.noNewline}>
        <span class="no-newline"> No newline at end of file</span>
      </Show>
    </>
  );
}
