import { createEffect, createMemo, createSignal, For, on, Show } from 'solid-js';
import { Icon } from '../../shell/Icon.tsx';
import { useStore } from '../../shell/useStore.ts';
import { VirtualList } from '../../shell/VirtualList.tsx';
import type { LogLine } from '../page/jobStore.ts';
import { useJob } from '../page/jobView.ts';
import { findLines, type LogFilter, shownLines, tagsOf } from './logFilter.ts';
import { LogRow } from './LogRow.tsx';
import './log.css';

/**
 * Height of a line, px, and how many characters fit on it: a guess, until a row was
 * measured.
 */
const LINE_PX = 20;
const LETTERS = 90;

/** Tags that are offered as buttons. */
const OFFERED = 12;

const SPEAKERS: readonly (readonly [LogLine['from'], string])[] = [
  ['agent', 'Agent'],
  ['runner', 'Runner'],
  ['tool', 'Tools'],
];

/** The log as it comes: searched, filtered by tag, speaker and phase. */
export function LogTab() {
  const { store } = useJob();
  const log = useStore(store, (context) => context.log);
  const dropped = useStore(store, (context) => context.dropped);
  const [filter, setFilter] = createSignal<LogFilter>({ tags: new Set(), from: null, phase: null });
  const [search, setSearch] = createSignal('');
  const [at, setAt] = createSignal(0);
  const shown = createMemo(() => shownLines(log(), filter()));
  const tags = createMemo(() => tagsOf(log()).slice(0, OFFERED));
  const phases = createMemo(() => [...new Set(log().map(({ phase }) => phase))]);
  const hits = createMemo(() => findLines(shown(), search()));
  const hit = () => hits()[at()] ?? null;
  createEffect(on([search, filter], () => setAt(0), { defer: true }));

  const move = (by: number) =>
    setAt((now) => (now + by + hits().length) % Math.max(1, hits().length));
  const toggle = (tag: string) =>
    setFilter((now) => {
      const chosen = new Set(now.tags);
      if (!chosen.delete(tag)) chosen.add(tag);
      return { ...now, tags: chosen };
    });

  return (
    <section class="log-tab" aria-label="Log">
      <div class="log-bar">
        <div class="filter-search">
          <Icon name="search" />
          <input
            type="search"
            data-search
            aria-label="Search the log"
            placeholder="Search the log"
            value={search()}
            onInput={(event) => setSearch(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Enter' && move(event.shiftKey ? -1 : 1)}
          />
        </div>
        <Show when={search() !== ''}>
          <span class="row" role="status">
            <small>{hits().length === 0 ? 'No matches' : `${at() + 1} of ${hits().length}`}</small>
            <button
              type="button"
              class="quiet icon-only"
              aria-label="Previous match"
              onClick={() => move(-1)}
            >
              <Icon name="left" />
            </button>
            <button
              type="button"
              class="quiet icon-only"
              aria-label="Next match"
              onClick={() => move(1)}
            >
              <Icon name="right" />
            </button>
          </span>
        </Show>
        <select
          aria-label="Source"
          value={filter().from ?? ''}
          onChange={(event) => {
            const from = SPEAKERS.find(([name]) => name === event.currentTarget.value)?.[0] ?? null;
            setFilter((now) => ({ ...now, from }));
          }}
        >
          <option value="">All sources</option>
          <For each={SPEAKERS}>{([name, says]) => <option value={name}>{says}</option>}</For>
        </select>
        <Show when={phases().length > 1}>
          <select
            aria-label="Phase"
            value={filter().phase ?? ''}
            onChange={(event) => {
              const phase = event.currentTarget.value || null;
              setFilter((now) => ({ ...now, phase }));
            }}
          >
            <option value="">All phases</option>
            <For each={phases()}>{(phase) => <option value={phase}>{phase}</option>}</For>
          </select>
        </Show>
        <small class="lines">
          {shown().length} lines{dropped() > 0 ? `; ${dropped()} older ones: svc logs` : ''}
        </small>
      </div>
      <Show when={tags().length > 0}>
        <fieldset class="tone-filters tags" aria-label="Tags">
          <For each={tags()}>
            {([tag, lines]) => (
              <button
                type="button"
                aria-pressed={filter().tags.has(tag)}
                onClick={() => toggle(tag)}
              >
                [{tag}] <small>{lines}</small>
              </button>
            )}
          </For>
        </fieldset>
      </Show>
      <Show
        when={log().length > 0}
        fallback={<p class="empty card">Nothing yet. Lines appear as the agent writes them.</p>}
      >
        <VirtualList
          class="log"
          label="Log lines"
          role="log"
          items={shown()}
          estimate={({ line }) => LINE_PX * Math.max(1, Math.ceil(line.length / LETTERS))}
          shown={hit()}
          row={(line, index) => (
            <LogRow line={line} search={search()} current={index() === hit()} />
          )}
        />
      </Show>
    </section>
  );
}
