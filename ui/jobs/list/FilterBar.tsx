import { For, Show } from 'solid-js';
import { describeFailures } from '../../../src/base/jobs/describeFailures.ts';
import { MAX_SEARCH_CHARS } from '../../../src/base/limits/jobLimits.ts';
import type { JobCounts } from '../../../src/contract/schema/api/replies.ts';
import { Choice } from '../../shell/controls/Choice.tsx';
import { Icon } from '../../shell/controls/Icon.tsx';
import {
  type Filter,
  GROUPS,
  groupDigits,
  narrowsList,
  NO_FILTER,
  toFilterQuery,
  SORTS,
  STANDING_OF,
} from './filters.ts';
import { TONE_NAMES, TONES, type Tone } from '../jobText.ts';
import { SaveView } from './SaveView.tsx';
import { StatusMark } from '../StatusMark.tsx';

interface FilterBarProps {
  /** Of the filter, whatever states it asks for; null until they were read. */
  counts: JobCounts | null;
  filter: Filter;
  /** Whether the list can be sorted. */
  canSort: boolean;
  view: 'list' | 'board';
  place: string;
  /** Waiting proposals of the filter: they need a person as well, and have no row in the list. */
  proposals: number;
  change: (filter: Filter) => void;
}

/** What narrows, sorts and groups the list, and the names under which it can be kept. */
export function FilterBar(props: FilterBarProps) {
  const set = (part: Partial<Filter>) => props.change({ ...props.filter, ...part });
  const toggle = (tone: Tone) => {
    const { tones } = props.filter;
    set({
      tones: tones.includes(tone) ? tones.filter((other) => other !== tone) : [...tones, tone],
    });
  };
  const failureText = () =>
    props.counts && props.filter.tones.join() === 'bad'
      ? describeFailures(props.counts.failures)
      : '';
  const isSet = () => Object.keys(toFilterQuery(props.filter)).length > 0;

  return (
    <search class="filter-bar">
      <div class="filter-search">
        <Icon name="search" />
        <input
          type="search"
          data-search
          aria-label="Search jobs"
          placeholder="Search jobs"
          maxlength={MAX_SEARCH_CHARS}
          dir="auto"
          value={props.filter.text}
          onInput={(event) => set({ text: event.currentTarget.value })}
          // Leaves the field for the results: keys move on there, but would be typed here.
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        />
      </div>
      <fieldset class="tone-filters" aria-label="State">
        <For each={TONES}>
          {(tone) => (
            <button
              type="button"
              aria-pressed={props.filter.tones.includes(tone)}
              onClick={() => toggle(tone)}
            >
              <StatusMark tone={tone} /> {TONE_NAMES[tone]}{' '}
              <small>
                {props.counts
                  ? groupDigits(
                      props.counts.is[STANDING_OF[tone]] +
                        (tone === 'needs-you' ? props.proposals : 0),
                    )
                  : ''}
              </small>
            </button>
          )}
        </For>
      </fieldset>
      <Choice
        label="Repository"
        all="All repositories"
        values={props.counts?.repos ?? []}
        value={props.filter.repo}
        change={(repo) => set({ repo })}
      />
      <Choice
        label="Workflow"
        all="All workflows"
        values={props.counts?.workflows ?? []}
        value={props.filter.workflow}
        change={(workflow) => set({ workflow })}
      />
      <Show when={props.canSort}>
        <Option
          label="Sort"
          names={SORTS}
          value={props.filter.sort}
          change={(sort) => set({ sort })}
        />
      </Show>
      <Show when={props.view === 'list'}>
        <Option
          label="Group"
          names={GROUPS}
          value={props.filter.group}
          change={(group) => set({ group })}
        />
      </Show>
      <label class="row parts">
        <input
          type="checkbox"
          checked={props.filter.subRuns}
          onChange={(event) => set({ subRuns: event.currentTarget.checked })}
        />
        Show sub-runs
      </label>
      <span class="muted shown" role="status">
        {props.place}
        <Show when={failureText()}>{(text) => <>, {text()}</>}</Show>
      </span>
      <Show when={isSet()}>
        <SaveView filter={props.filter} view={props.view} />
        <Show when={narrowsList(props.filter)}>
          <button
            type="button"
            class="quiet"
            onClick={() =>
              props.change({
                ...NO_FILTER,
                sort: props.filter.sort,
                group: props.filter.group,
                subRuns: props.filter.subRuns,
              })
            }
          >
            <Icon name="close" /> Clear filters
          </button>
        </Show>
      </Show>
    </search>
  );
}

function Option<Name extends string>(props: {
  label: string;
  names: Readonly<Record<Name, string>>;
  value: Name;
  change: (value: Name) => void;
}) {
  const names = () => Object.keys(props.names) as Name[];
  return (
    <select
      aria-label={props.label}
      value={props.value}
      onChange={(event) => {
        const chosenName = names().find((name) => name === event.currentTarget.value);
        if (chosenName !== undefined) props.change(chosenName);
      }}
    >
      <For each={names()}>{(name) => <option value={name}>{props.names[name]}</option>}</For>
    </select>
  );
}
