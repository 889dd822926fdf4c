import { For, Match, Show, Switch } from 'solid-js';
import type { DrawnBox } from './picture/drawing.ts';
import { FLAGGED } from './flaggedPhases.ts';
import { FINAL, MARK, PAD_X, PAD_Y, TITLE_LINE } from './picture/graphSizes.ts';
import { LINE } from './picture/textWidth.ts';

const BASELINE = 14;

/** Only draws: the parent names the box and handles clicks. */
export function GraphBox(props: { box: DrawnBox }) {
  const { x, y, width, height, node, tags } = props.box;
  const middle = x + width / 2;
  return (
    <Switch
      fallback={
        <>
          <rect
            class="box"
            x={x}
            y={y}
            width={width}
            height={height}
            rx={node.kind === 'state' ? 9 : 12}
          />
          <text class="title" x={x + PAD_X} y={y + PAD_Y + BASELINE}>
            {`${node.title} `}
          </text>
          <For each={tags}>
            {(tag) => (
              <>
                <rect
                  class="tag-ground"
                  classList={{ flag: tag.text === FLAGGED }}
                  x={tag.x}
                  y={tag.y}
                  width={tag.width}
                  height={tag.height}
                  rx={tag.height / 2}
                />
                <text
                  class="tag"
                  classList={{ flag: tag.text === FLAGGED }}
                  x={tag.x + tag.width / 2}
                  y={tag.y + 11.5}
                  text-anchor="middle"
                >
                  {`${tag.text} `}
                </text>
              </>
            )}
          </For>
          <For each={node.rows}>
            {(row, index) => (
              <text
                class={row.role}
                x={x + PAD_X}
                y={y + PAD_Y + TITLE_LINE + index() * LINE + 11.5}
              >
                {`${row.text} `}
              </text>
            )}
          </For>
        </>
      }
    >
      <Match when={node.kind === 'start'}>
        <circle class="mark" cx={x + MARK / 2} cy={y + MARK / 2} r={MARK / 2} />
      </Match>
      <Match when={node.kind === 'final' || node.kind === 'history'}>
        <circle class="box" cx={middle} cy={y + FINAL / 2} r={FINAL / 2 - 1} />
        <Show
          when={node.kind === 'final'}
          fallback={
            <text class="tag" x={middle} y={y + FINAL / 2 + 4} text-anchor="middle">
              H
            </text>
          }
        >
          <circle class="mark" cx={middle} cy={y + FINAL / 2} r={FINAL / 2 - 5.5} />
        </Show>
        <text class="title" x={middle} y={y + FINAL + BASELINE + 2} text-anchor="middle">
          {node.title}
        </text>
      </Match>
    </Switch>
  );
}
