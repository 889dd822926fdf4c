import { createSignal, For, Show } from 'solid-js';
import type { JobSummary } from '../../../src/schema/job.ts';
import { Icon } from '../../shell/Icon.tsx';
import { choices, type Filter, queryOf } from './filters.ts';
import { TONE_NAMES, TONES, type Tone } from '../jobText.ts';
import { jobFilters } from './savedFilters.ts';
import { StatusMark } from '../StatusMark.tsx';

interface FilterBarProps {
  jobs: readonly JobSummary[];
  filter: Filter;
  /** How many jobs it leaves. */
  shown: number;
  change: (filter: Filter) => void;
}

/** What narrows the list, and the names under which it can be kept. */
export function FilterBar(props: FilterBarProps) {
  const [naming, setNaming] = createSignal(false);
  const [name, setName] = createSignal('');
  const set = (part: Partial<Filter>) => props.change({ ...props.filter, ...part });
  const toggle = (tone: Tone) => {
    const { tones } = props.filter;
    set({
      tones: tones.includes(tone) ? tones.filter((other) => other !== tone) : [...tones, tone],
    });
  };
  const isSet = () => Object.keys(queryOf(props.filter)).length > 0;
  const saved = () =>
    jobFilters
      .list()
      .find(({ query }) => JSON.stringify(query) === JSON.stringify(queryOf(props.filter)));
  const keep = (event: SubmitEvent) => {
    event.preventDefault();
    if (name().trim() === '') return;
    jobFilters.save({ name: name().trim(), query: queryOf(props.filter) });
    setNaming(false);
    setName('');
  };

  return (
    <search class="filter-bar">
      <div class="filter-search">
        <Icon name="search" />
        <input
          type="search"
          data-search
          aria-label="Search jobs"
          placeholder="Search jobs"
          value={props.filter.text}
          onInput={(event) => set({ text: event.currentTarget.value })}
        />
      </div>
      <fieldset class="tone-filters" aria-label="Status">
        <For each={TONES}>
          {(tone) => (
            <button
              type="button"
              aria-pressed={props.filter.tones.includes(tone)}
              onClick={() => toggle(tone)}
            >
              <StatusMark tone={tone} /> {TONE_NAMES[tone]}
            </button>
          )}
        </For>
      </fieldset>
      <Choice
        label="Repository"
        all="All repositories"
        values={choices(props.jobs, ({ repoSlug }) => repoSlug)}
        value={props.filter.repo}
        change={(repo) => set({ repo })}
      />
      <Choice
        label="Workflow"
        all="All workflows"
        values={choices(props.jobs, ({ workflowPath }) => workflowPath)}
        value={props.filter.workflow}
        change={(workflow) => set({ workflow })}
      />
      <label class="row parts">
        <input
          type="checkbox"
          checked={props.filter.subRuns}
          onChange={(event) => set({ subRuns: event.currentTarget.checked })}
        />
        Show sub-runs
      </label>
      <span class="muted shown" role="status">
        {props.shown} shown
      </span>
      <Show when={isSet()}>
        <Show
          when={saved()}
          fallback={
            <Show
              when={naming()}
              fallback={
                <button type="button" onClick={() => setNaming(true)}>
                  <Icon name="star" /> Save filter
                </button>
              }
            >
              <form class="row" onSubmit={keep}>
                <input
                  aria-label="Name of the filter"
                  placeholder="Name of the filter"
                  maxlength="40"
                  value={name()}
                  onInput={(event) => setName(event.currentTarget.value)}
                  ref={(field) => setTimeout(() => field.focus())}
                />
                <button type="submit" disabled={name().trim() === ''}>
                  Save
                </button>
              </form>
            </Show>
          }
        >
          {(filter) => (
            <button type="button" onClick={() => jobFilters.remove(filter().name)}>
              <Icon name="trash" /> Forget “{filter().name}”
            </button>
          )}
        </Show>
        <button
          type="button"
          class="quiet"
          onClick={() =>
            props.change({ text: '', tones: [], workflow: null, repo: null, subRuns: false })
          }
        >
          <Icon name="close" /> Clear
        </button>
      </Show>
    </search>
  );
}

function Choice(props: {
  label: string;
  all: string;
  values: readonly string[];
  value: string | null;
  change: (value: string | null) => void;
}) {
  return (
    <Show when={props.values.length > 1 || props.value !== null}>
      <select
        aria-label={props.label}
        value={props.value ?? ''}
        onChange={(event) => props.change(event.currentTarget.value || null)}
      >
        <option value="">{props.all}</option>
        <For each={props.values}>{(value) => <option value={value}>{value}</option>}</For>
      </select>
    </Show>
  );
}
