import { For, Show } from 'solid-js';
import type { LogLine } from '../page/jobStore.ts';
import { clockTime } from '../jobText.ts';
import { tagOf, textOfLine } from './logFilter.ts';

/** The text cut at each place of the search, without regard to case: every second part is a hit. */
function cut(text: string, search: string): string[] {
  if (search === '') return [text];
  const parts: string[] = [];
  const [found, wanted] = [text.toLowerCase(), search.toLowerCase()];
  let from = 0;
  for (let at = found.indexOf(wanted); at !== -1; at = found.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), text.slice(at, at + wanted.length));
    from = at + wanted.length;
  }
  return [...parts, text.slice(from)];
}

/** A line of the log. */
export function LogRow(props: { line: LogLine; search: string; current: boolean }) {
  return (
    <p class={`log-row ${props.line.from} ${props.current ? 'current' : ''}`}>
      <time datetime={props.line.at}>{clockTime(props.line.at)}</time>
      <span class="phase">{props.line.phase}</span>
      <span class="text">
        <Show when={tagOf(props.line)}>{(tag) => <b class="tag">{tag()}</b>}</Show>
        <For each={cut(textOfLine(props.line), props.search)}>
          {(part, index) => (index() % 2 === 1 ? <mark>{part}</mark> : part)}
        </For>
      </span>
    </p>
  );
}
