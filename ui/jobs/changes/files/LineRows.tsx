import { For, Show } from 'solid-js';
import type { Token } from '../code/tokens.ts';
import { type DiffLine, placeOf } from '../diff/diffFile.ts';
import { type DiffRow, linesOf } from '../diff/diffRows.ts';
import { cutFile, type Slab } from './blocks.ts';
import type { FilesReview } from './fileReview.ts';
import type { FilesView } from './filesView.ts';
import { LineText } from './LineText.tsx';

interface RowsProps {
  slab: Slab;
  view: FilesView;
  review: FilesReview | null;
  tokens: () => ReadonlyMap<DiffLine, Token[]>;
}

/** The columns of a file's lines: two numbers and a text, or a number and a text for each side. */
function columnsOf(view: FilesView): readonly ('number' | 'code')[] {
  if (view.split()) return ['number', 'code', 'number', 'code'];
  return view.isNarrow() ? ['number', 'code'] : ['number', 'number', 'code'];
}

/** Some lines of a file, with the comments below each of them. */
export function LineRows(props: RowsProps) {
  const columns = () => columnsOf(props.view);
  return (
    <table classList={{ 'diff-lines': true, split: props.view.split() }}>
      <colgroup>
        <For each={columns()}>{(column) => <col class={column} />}</For>
      </colgroup>
      <tbody>
        <For each={props.slab.rows}>
          {(row) => (
            <>
              <Row row={row} of={props} />
              <Show when={props.review}>
                {(review) => (
                  <For each={linesOf(row)}>
                    {(line) => (
                      <Show when={review().hasComments({ file: props.slab.file, line })}>
                        <tr
                          class="comment"
                          // Where a text is being written is drawn, whatever is scrolled.
                          onFocusIn={() => props.view.at({ file: props.slab.file, line })}
                        >
                          <td colspan={columns().length}>
                            {review().comments({ file: props.slab.file, line })}
                          </td>
                        </tr>
                      </Show>
                    )}
                  </For>
                )}
              </Show>
            </>
          )}
        </For>
      </tbody>
    </table>
  );
}

function Row(props: { row: DiffRow; of: RowsProps }) {
  const { row } = props;
  if (row.kind === 'hunk')
    return (
      <tr class="hunk">
        <td class="code" colspan={columnsOf(props.of.view).length}>
          <bdi dir="ltr">{row.line.text}</bdi>
        </td>
      </tr>
    );
  if (row.kind === 'one') {
    const { line } = row;
    return (
      <tr class={line.kind} classList={{ chosen: props.of.view.isChosen(line) }}>
        <Show
          when={!props.of.view.isNarrow()}
          fallback={<td class="number">{line.after ?? line.before}</td>}
        >
          <td class="number">{line.before}</td>
          <td class="number">{line.after}</td>
        </Show>
        <Code line={line} of={props.of} class="" />
      </tr>
    );
  }
  const { left, right } = row;
  return (
    <tr>
      <td class={`number ${left?.kind ?? 'missing'}`}>{left?.before}</td>
      <Code line={left} of={props.of} class={left?.kind ?? 'missing'} still={left === right} />
      <td class={`number ${right?.kind ?? 'missing'}`}>{right?.after}</td>
      <Code line={right} of={props.of} class={right?.kind ?? 'missing'} />
    </tr>
  );
}

/** The text of a line, and the button for a comment on it. */
function Code(props: { line: DiffLine | null; of: RowsProps; class: string; still?: boolean }) {
  const { line } = props;
  if (!line) return <td class="code missing" />;
  const { slab, view } = props.of;
  const other = () => cutFile(slab.file, view.split()).pairs.get(line);
  return (
    <td class={`code ${props.class}`} classList={{ chosen: view.isChosen(line) }}>
      <Show when={!props.still && props.of.review}>
        <CommentButton line={line} of={props.of} />
      </Show>
      <LineText line={line} other={other()} tokens={props.of.tokens().get(line)} />
    </td>
  );
}

function CommentButton(props: { line: DiffLine; of: RowsProps }) {
  const { line } = props;
  const { slab, view } = props.of;
  const at = { file: slab.file, line };
  const number = () => placeOf(line)?.line ?? 0;
  const comment = () => props.of.review?.comment ?? null;
  const isFirst = () => slab.index === 0 && slab.rows.flatMap(linesOf).find(placeOf) === line;
  const isCurrent = () => view.cursor()?.line === line;
  const kind = line.kind === 'same' ? '' : `, ${line.kind}`;
  return (
    <button
      type="button"
      class="comment-line"
      // One of a file is in the tab order; arrow keys lead to the others.
      tabindex={isCurrent() || (isFirst() && view.cursor()?.file !== slab.file) ? 0 : -1}
      aria-label={`${comment() ? 'Comment on line' : 'Line'} ${number()}${kind}: ${line.text.slice(0, 200)}`}
      ref={(button) => view.isButton(line, button)}
      // The focus would move the end of the range before the click is seen.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onFocus={() => view.at(at)}
      onClick={(event) => {
        if (event.shiftKey) view.extendTo(at);
        comment()?.(slab.file, view.rangeTo(at));
      }}
    >
      +
    </button>
  );
}
