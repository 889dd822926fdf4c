import { createEffect, createMemo, For, onCleanup, Show } from 'solid-js';
import type { Token } from '../code/tokens.ts';
import { type DiffLine, toLinePlace } from '../diff/diffFile.ts';
import { type DiffRow, listRowLines } from '../diff/diffRows.ts';
import { cutFile, type Slab } from './diffBlocks.ts';
import type { FilesReview } from './filesReview.ts';
import type { FilesView } from './filesView.ts';
import { LineText } from './LineText.tsx';

interface LineRowProps {
  slab: () => Slab;
  tokens: () => ReadonlyMap<DiffLine, Token[]>;
  /** The line that is in the tab order while the keyboard is at none of its file. */
  findFirst: () => DiffLine | undefined;
  view: FilesView;
  review: () => FilesReview | null;
}

/** The columns of a file's lines: two numbers and a text, or a number and a text for each side. */
export function listLineColumns(view: FilesView): readonly ('number' | 'code')[] {
  if (view.split()) return ['number', 'code', 'number', 'code'];
  return view.isNarrow() ? ['number', 'code'] : ['number', 'number', 'code'];
}

/** A row with the comments below it: a part of a table of its own, so that it can be used again. */
export function LineRow(props: { row: DiffRow; isUsed: boolean; of: LineRowProps }) {
  const columns = () => listLineColumns(props.of.view).length;
  const commentedLines = createMemo(() => {
    const review = props.of.review();
    const { file } = props.of.slab();
    if (!props.isUsed || !review) return [];
    return listRowLines(props.row).filter((line) => review.hasComments({ file, line }));
  });
  return (
    <tbody>
      <Show when={props.of.view.split()} fallback={<OneSide {...props} columns={columns()} />}>
        <TwoSides {...props} columns={columns()} />
      </Show>
      <For each={commentedLines()}>
        {(line) => {
          const at = { file: props.of.slab().file, line };
          return (
            <tr
              class="comment"
              // The row that has the focus is drawn wherever the page is scrolled.
              onFocusIn={() => props.of.view.at(at)}
            >
              <td colspan={columns()}>{props.of.review()?.comments(at)}</td>
            </tr>
          );
        }}
      </For>
    </tbody>
  );
}

interface SidesProps {
  row: DiffRow;
  isUsed: boolean;
  of: LineRowProps;
  columns: number;
}

function OneSide(props: SidesProps) {
  const line = () => (props.row.kind === 'two' ? props.row.right : props.row.line);
  const isHunk = () => props.row.kind === 'hunk';
  const chosenClass = () => (isChosen(props.of.view, line()) ? ' chosen' : '');
  return (
    <tr class={`${line()?.kind ?? ''}${chosenClass()}`}>
      <Show
        when={!props.of.view.isNarrow()}
        fallback={
          <td
            class="number"
            hidden={isHunk()}
            textContent={formatLineNumber(line()?.after ?? line()?.before)}
          />
        }
      >
        <td class="number" hidden={isHunk()} textContent={formatLineNumber(line()?.before)} />
        <td class="number" hidden={isHunk()} textContent={formatLineNumber(line()?.after)} />
      </Show>
      <Code
        line={line()}
        class=""
        columns={isHunk() ? props.columns : 1}
        isUsed={props.isUsed}
        of={props.of}
      />
    </tr>
  );
}

function TwoSides(props: SidesProps) {
  const isHunk = () => props.row.kind === 'hunk';
  const getLeftLine = () => (props.row.kind === 'two' ? props.row.left : null);
  const right = () => (props.row.kind === 'two' ? props.row.right : props.row.line);
  const toSideClass = (line: DiffLine | null) => line?.kind ?? 'missing';
  return (
    <tr class={isHunk() ? 'hunk' : ''}>
      <td
        class={`number ${toSideClass(getLeftLine())}`}
        hidden={isHunk()}
        textContent={formatLineNumber(getLeftLine()?.before)}
      />
      <Code
        line={getLeftLine()}
        class={toSideClass(getLeftLine())}
        columns={1}
        hidden={isHunk()}
        // An unchanged line is on both sides; what is done with it is done on the right.
        still={getLeftLine() === right()}
        isUsed={props.isUsed}
        of={props.of}
      />
      <td
        class={`number ${toSideClass(right())}`}
        hidden={isHunk()}
        textContent={formatLineNumber(right()?.after)}
      />
      <Code
        line={right()}
        class={isHunk() ? '' : toSideClass(right())}
        columns={isHunk() ? props.columns : 1}
        isUsed={props.isUsed}
        of={props.of}
      />
    </tr>
  );
}

const formatLineNumber = (number: number | null | undefined): string =>
  number === null || number === undefined ? '' : String(number);

const isChosen = (view: FilesView, line: DiffLine | null): boolean =>
  line !== null && view.isChosen(line);

interface CodeProps {
  /** null: on this side it does not exist. */
  line: DiffLine | null;
  class: string;
  columns: number;
  hidden?: boolean;
  still?: boolean;
  isUsed: boolean;
  of: LineRowProps;
}

function Code(props: CodeProps) {
  const other = createMemo(() => {
    const { slab, view } = props.of;
    return props.line === null
      ? undefined
      : cutFile(slab().file, view.split()).pairs.get(props.line);
  });
  const chosenClass = () => (isChosen(props.of.view, props.line) ? ' chosen' : '');
  return (
    <td
      class={`code ${props.class}${chosenClass()}`}
      colspan={props.columns}
      hidden={props.hidden ?? false}
    >
      <Show when={props.of.review()}>
        <CommentButton
          line={props.line}
          isOffered={
            props.isUsed && !props.still && props.line !== null && toLinePlace(props.line) !== null
          }
          of={props.of}
        />
      </Show>
      <LineText
        line={props.line}
        other={other()}
        tokens={props.line ? props.of.tokens().get(props.line) : undefined}
      />
    </td>
  );
}

function CommentButton(props: { line: DiffLine | null; isOffered: boolean; of: LineRowProps }) {
  let button: HTMLButtonElement | undefined;
  const comment = () => props.of.review()?.comment ?? null;
  const at = () => props.line && { file: props.of.slab().file, line: props.line };
  const isCurrent = () => props.of.view.cursor()?.line === props.line;
  const isFirst = () =>
    props.of.findFirst() === props.line && props.of.view.cursor()?.file !== props.of.slab().file;
  createEffect(() => {
    const { view } = props.of;
    if (props.isOffered && props.line && button) onCleanup(view.isButton(props.line, button));
  });
  return (
    <button
      ref={button}
      type="button"
      class="comment-line"
      hidden={!props.isOffered}
      // One of a file is in the tab order; arrow keys lead to the others.
      tabindex={isCurrent() || isFirst() ? 0 : -1}
      aria-label={describeLineCell(comment() ? 'Comment on line' : 'Line', props.line)}
      // The focus would move the end of the range before the click is seen.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onFocus={() => {
        const place = at();
        if (place) props.of.view.at(place);
      }}
      onClick={(event) => {
        const place = at();
        if (!place) return;
        if (event.shiftKey) props.of.view.extendTo(place);
        comment()?.(place.file, props.of.view.rangeTo(place));
      }}
    >
      +
    </button>
  );
}

function describeLineCell(says: string, line: DiffLine | null): string {
  if (line === null) return says;
  const kind = line.kind === 'same' ? '' : `, ${line.kind}`;
  return `${says} ${toLinePlace(line)?.line ?? 0}${kind}: ${line.text.slice(0, 200)}`;
}
