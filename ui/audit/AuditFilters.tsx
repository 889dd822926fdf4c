import { createUniqueId, For, type JSX, Show } from 'solid-js';
import { Icon } from '../shell/controls/Icon.tsx';
import { toRouteHash } from '../shell/navigation/router.ts';
import { type AuditFilter, hasAuditFilter } from './auditFilter.ts';
import './audit.css';

/** Filters of the log: submitting them leads to their address. `people` and `actions` are only proposed. */
export function AuditFilters(props: {
  filter: AuditFilter;
  people: readonly string[];
  actions: readonly string[];
}) {
  const people = createUniqueId();
  const actions = createUniqueId();
  const submit = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const readField = (name: string) => String(fields.get(name) ?? '').trim();
    location.hash = toRouteHash(['audit'], {
      person: readField('person'),
      action: readField('action'),
      since: readField('since'),
    });
  };
  return (
    <form class="audit-filters" aria-label="Filter entries" onSubmit={submit}>
      <AuditField label="Person">
        {(id) => (
          <input
            id={id}
            name="person"
            list={people}
            maxLength={100}
            placeholder="Name"
            autocomplete="off"
            value={props.filter.person}
          />
        )}
      </AuditField>
      <AuditField label="Action">
        {(id) => (
          <input
            id={id}
            name="action"
            list={actions}
            maxLength={100}
            placeholder="Such as login"
            autocomplete="off"
            spellcheck={false}
            value={props.filter.action}
          />
        )}
      </AuditField>
      <AuditField label="Since">
        {(id) => <input id={id} name="since" type="date" value={props.filter.since} />}
      </AuditField>
      <div class="row">
        <button type="submit">
          <Icon name="search" /> Filter
        </button>
        <Show when={hasAuditFilter(props.filter)}>
          <a class="button quiet" href="#/audit">
            Clear
          </a>
        </Show>
      </div>
      <datalist id={people}>
        <For each={props.people}>{(name) => <option value={name} />}</For>
      </datalist>
      <datalist id={actions}>
        <For each={props.actions}>{(name) => <option value={name} />}</For>
      </datalist>
    </form>
  );
}

function AuditField(props: { label: string; children: (id: string) => JSX.Element }) {
  const id = createUniqueId();
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.children(id)}
    </div>
  );
}
