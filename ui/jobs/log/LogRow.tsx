import { createMemo, For, Show } from 'solid-js';
import { describeJson } from '../../../src/base/json/describeJson.ts';
import { removeQuotedOutput } from '../../../src/base/output/chooseLastLines.ts';
import { isErrorLine } from '../../../src/base/output/errorLine.ts';
import { Icon } from '../../shell/controls/Icon.tsx';
import { nowForAges } from '../../shell/signals/nowForAges.ts';
import { formatTimeOfDay, formatDuration, formatKibibytes } from '../jobText.ts';
import type { SessionGroup } from './logRows.ts';
import type { LogLine } from './logWindow.ts';
import {
  splitColouredParts,
  markSearchHits,
  type TextPart,
  toVisibleLine,
} from './terminalText.ts';
import './terminalText.css';

/** Lines on the screen that a line of the log may take before it is cut. */
export const SHOWN_LINES = 3;

/** Room for the button that shows the rest of a line, characters. */
const BUTTON_CHARS = 24;

const SOURCES: Readonly<Record<LogLine['from'], string>> = {
  agent: 'agent',
  runner: 'runner',
  tool: 'tool',
};

/** The first parts, up to this many characters. */
function cutTextParts(parts: readonly TextPart[], chars: number): TextPart[] {
  const shortParts: TextPart[] = [];
  let room = chars;
  for (const { text, look } of parts) {
    if (room <= 0) break;
    shortParts.push({ text: text.slice(0, room), look });
    room -= text.length;
  }
  return shortParts;
}

interface LogRowProps {
  line: LogLine;
  href: string;
  search: string;
  current: boolean;
  /** Characters that fit on a line of the screen. */
  letters: number;
  whole: boolean;
  showAll: () => void;
}

/**
 * A line of the log. Who wrote it is beside the text, in a column that no text reaches: what an
 * agent writes cannot look like a line of the runner.
 */
export function LogRow(props: LogRowProps) {
  const brief = createMemo(() =>
    props.line.from === 'runner' ? null : describeJson(props.line.line),
  );
  const isBrief = () => brief() !== null && !props.whole && !props.current && props.search === '';
  // What the runner quotes of an output is in the lines above.
  const text = () =>
    props.line.from === 'runner' && !props.whole && props.search === ''
      ? removeQuotedOutput(props.line.line)
      : props.line.line;
  const parts = createMemo(() => splitColouredParts(isBrief() ? (brief() ?? '') : text()));
  const chars = createMemo(() => parts().reduce((sum, { text }) => sum + text.length, 0));
  const isCut = () => !props.whole && !props.current && chars() > props.letters * SHOWN_LINES;
  const room = () => Math.max(1, props.letters * SHOWN_LINES - BUTTON_CHARS);
  const isError = createMemo(() =>
    isErrorLine({ ...props.line, line: toVisibleLine(props.line.line.slice(0, 4_000)) }),
  );
  return (
    <div
      class={`log-row ${props.line.from}`}
      classList={{
        error: isError(),
        current: props.current,
        restart: props.line.from === 'runner' && props.line.tag === 'restart',
      }}
    >
      <span class="place">
        <a class="number" href={props.href} aria-label={`Line ${props.line.number}`}>
          {props.line.number}
        </a>{' '}
        <time datetime={props.line.at}>{formatTimeOfDay(props.line.at)}</time>
      </span>
      <span class="source">
        <Show when={props.line.from === 'runner'}>
          <Icon name="machine" />
        </Show>
        {SOURCES[props.line.from]}
      </span>
      <span class="text">
        <Show when={props.line.tag}>
          {(tag) => <b class={props.line.from === 'runner' ? 'tag' : 'written-tag'}>{tag()}</b>}
        </Show>
        <bdi class="line">
          <For
            each={markSearchHits(isCut() ? cutTextParts(parts(), room()) : parts(), props.search)}
          >
            {({ text, look, hit }) =>
              hit ? (
                <mark class={look}>{text}</mark>
              ) : look ? (
                <span class={look}>{text}</span>
              ) : (
                text
              )
            }
          </For>
        </bdi>
        <Show when={isBrief()}>
          {' '}
          <button type="button" class="quiet show-all" onClick={() => props.showAll()}>
            Show JSON
          </button>
        </Show>
        <Show when={isCut() && !isBrief()}>
          {' … '}
          <button type="button" class="quiet show-all" onClick={() => props.showAll()}>
            Show all ({formatKibibytes(chars())})
          </button>
        </Show>
      </span>
    </div>
  );
}

interface SessionHeadProps {
  group: SessionGroup;
  /** Epoch ms; null = it did not begin, or lasts. */
  from: number | null;
  to: number | null;
  /** Day of its beginning; empty = today. */
  day: string;
  folded: boolean;
  toggle: () => void;
}

export function SessionHead(props: SessionHeadProps) {
  const formatLength = () =>
    props.from === null ? '' : formatDuration((props.to ?? nowForAges()) - props.from);
  return (
    <h2 class="log-session">
      <button type="button" aria-expanded={!props.folded} onClick={() => props.toggle()}>
        <Icon name={props.folded ? 'right' : 'down'} />
        <bdi>{props.group.row.phase}</bdi>
        <Show when={props.group.row.session > 0} fallback={<span>preparation</span>}>
          <span>session {props.group.row.session}</span>
        </Show>
        <small>
          {[
            props.day,
            formatLength(),
            props.from !== null && props.to === null ? 'running' : '',
            `${props.group.lines} ${props.group.lines === 1 ? 'line' : 'lines'}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </small>
      </button>
    </h2>
  );
}
