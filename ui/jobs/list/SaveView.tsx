import { createSignal, Show } from 'solid-js';
import { createDraft } from '../../shell/drafts/drafts.ts';
import { Icon } from '../../shell/controls/Icon.tsx';
import { type Filter, toFilterQuery } from './filters.ts';
import { jobFilters } from './savedFilters.ts';

export function SaveView(props: { filter: Filter; view: 'list' | 'board' }) {
  const [naming, setNaming] = createSignal(false);
  const draft = createDraft({ job: 'jobs', field: 'name of a view' });
  const name = draft.text;
  const query = () => toFilterQuery(props.filter);
  const findSaved = () =>
    jobFilters
      .list()
      .find(
        (savedFilter) =>
          JSON.stringify(savedFilter.query) === JSON.stringify(query()) &&
          (savedFilter.board ?? false) === (props.view === 'board'),
      );
  const keep = (event: SubmitEvent) => {
    event.preventDefault();
    if (name().trim() === '') return;
    jobFilters.save({
      name: name().trim(),
      query: query(),
      ...(props.view === 'board' ? { board: true } : {}),
    });
    setNaming(false);
    draft.forget();
  };
  return (
    <Show
      when={findSaved()}
      fallback={
        <Show
          when={naming()}
          fallback={
            <button type="button" onClick={() => setNaming(true)}>
              <Icon name="star" /> Save view
            </button>
          }
        >
          <form class="row" onSubmit={keep}>
            <input
              aria-label="Name of the view"
              placeholder="Name of the view"
              maxlength="40"
              dir="auto"
              value={name()}
              onInput={(event) => draft.write(event.currentTarget.value)}
              ref={(field) => setTimeout(() => field.focus())}
            />
            <button type="submit" disabled={name().trim() === ''}>
              Save
            </button>
          </form>
        </Show>
      }
    >
      {(view) => (
        <button
          type="button"
          aria-label={`Forget “${view().name}”`}
          onClick={() => jobFilters.remove(view().name)}
        >
          <Icon name="trash" /> Forget “<bdi>{view().name}</bdi>”
        </button>
      )}
    </Show>
  );
}
