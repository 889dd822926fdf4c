import { createMemo, For, Show } from 'solid-js';
import { MAX_LOG_SEARCH_CHARS } from '../../../src/base/limits/inputLimits.ts';
import { Icon } from '../../shell/controls/Icon.tsx';
import { toLogTextUrl } from '../jobText.ts';
import { type LogFilter, countLineTags } from './logFilter.ts';
import type { LogLine } from './logWindow.ts';
import type { LogSearchState } from './useLogSearch.ts';

/** Tags that are offered as buttons. */
const OFFERED = 12;

const SOURCES: readonly (readonly [LogLine['from'], string])[] = [
  ['agent', 'Agent'],
  ['runner', 'Runner'],
  ['tool', 'Tools'],
];

interface LogBarProps {
  jobId: string;
  search: LogSearchState;
  lines: readonly LogLine[];
  filter: LogFilter;
  setFilter: (filter: LogFilter) => void;
  phases: readonly string[];
  folded: boolean;
  sessions: number;
  foldAll: (fold: boolean) => void;
}

export function LogBar(props: LogBarProps) {
  const tags = createMemo(() => countLineTags(props.lines).slice(0, OFFERED));
  const { search } = props;
  const findsErrors = () => {
    const now = search.target();
    return now !== null && 'errors' in now;
  };
  const toggle = (tag: string) => {
    const chosenTags = new Set(props.filter.tags);
    if (!chosenTags.delete(tag)) chosenTags.add(tag);
    props.setFilter({ ...props.filter, tags: chosenTags });
  };
  const describeMatches = () => {
    if (search.problem()) return 'Older lines could not be searched';
    const { length } = search.hits();
    if (length === 0) return search.asking() ? 'Searching …' : 'No matches';
    return `${search.at() + 1} of ${length}${search.more() ? ' or more' : ''}`;
  };
  return (
    <>
      <div class="log-bar">
        <div class="filter-search">
          <Icon name="search" />
          <input
            type="search"
            data-search
            dir="auto"
            maxlength={MAX_LOG_SEARCH_CHARS}
            aria-label="Search the log"
            placeholder="Search the log"
            value={search.text()}
            onInput={({ currentTarget: { value } }) =>
              search.setTarget(value === '' ? null : { text: value })
            }
            onKeyDown={(event) => event.key === 'Enter' && search.move(event.shiftKey ? -1 : 1)}
          />
        </div>
        <button
          type="button"
          class="quiet"
          aria-pressed={findsErrors()}
          onClick={() => search.setTarget(findsErrors() ? null : { errors: true })}
        >
          <Icon name="failed" /> First error
        </button>
        <Show when={search.target()}>
          <span class="row" role="status">
            <small>{describeMatches()}</small>
            <button
              type="button"
              class="quiet icon-only"
              aria-label={findsErrors() ? 'Previous error' : 'Previous match'}
              onClick={() => search.move(-1)}
            >
              <Icon name="left" />
            </button>
            <button
              type="button"
              class="quiet icon-only"
              aria-label={findsErrors() ? 'Next error' : 'Next match'}
              onClick={() => search.move(1)}
            >
              <Icon name="right" />
            </button>
          </span>
        </Show>
        <select
          aria-label="Source"
          value={props.filter.from ?? ''}
          onChange={({ currentTarget: { value } }) => {
            const from = SOURCES.find(([name]) => name === value)?.[0] ?? null;
            props.setFilter({ ...props.filter, from });
          }}
        >
          <option value="">All sources</option>
          <For each={SOURCES}>{([name, says]) => <option value={name}>{says}</option>}</For>
        </select>
        <Show when={props.phases.length > 1}>
          <select
            aria-label="Phase"
            value={props.filter.phase ?? ''}
            onChange={({ currentTarget: { value } }) =>
              props.setFilter({ ...props.filter, phase: value || null })
            }
          >
            <option value="">All phases</option>
            <For each={props.phases}>{(phase) => <option value={phase}>{phase}</option>}</For>
          </select>
        </Show>
        <Show when={props.sessions > 0}>
          <button type="button" class="quiet" onClick={() => props.foldAll(!props.folded)}>
            {props.folded ? 'Unfold all' : 'Fold sessions'}
          </button>
        </Show>
        <a class="button quiet" href={toLogTextUrl(props.jobId)} download={`${props.jobId}.log`}>
          <Icon name="download" /> Download
        </a>
      </div>
      <Show when={tags().length > 0}>
        <fieldset class="tone-filters tags" aria-label="Tags">
          <For each={tags()}>
            {([tag, lines]) => (
              <button
                type="button"
                aria-pressed={props.filter.tags.has(tag)}
                onClick={() => toggle(tag)}
              >
                <bdi>{tag}</bdi> <small>{lines}</small>
              </button>
            )}
          </For>
        </fieldset>
      </Show>
    </>
  );
}
