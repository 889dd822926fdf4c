import { createUniqueId, For, Match, Show, Switch } from 'solid-js';
import { appendName, type JobFormField } from './newJobRequest.ts';

interface JobFieldProps {
  field: JobFormField;
  demanded: boolean;
  text: string;
  set: (text: string) => void;
  /** The only values that the runner takes; empty = any text. */
  choices: readonly string[];
  suggestions: readonly string[];
}

const EMPTY_CHOICES: Readonly<Partial<Record<JobFormField['kind'], string>>> = {
  repo: 'Choose a repository',
  forge: 'The first forge that has the repository',
};

export function JobField(props: JobFieldProps) {
  const id = createUniqueId();
  const list = `${id}-list`;
  const suggestedNames = () =>
    props.field.kind === 'list'
      ? props.suggestions.filter((name) => !splitNames(props.text).includes(name))
      : [];
  return (
    <div class="field">
      <label for={id}>
        {props.field.label} <Show when={!props.demanded}>{<small>optional</small>}</Show>
      </label>
      <Switch>
        <Match when={props.choices.length > 0}>
          <select
            id={id}
            required={props.demanded}
            value={props.text}
            onChange={(event) => props.set(event.currentTarget.value)}
          >
            <option value="">{EMPTY_CHOICES[props.field.kind]}</option>
            <For each={props.choices}>{(choice) => <option value={choice}>{choice}</option>}</For>
          </select>
        </Match>
        <Match when={props.field.kind === 'long'}>
          <textarea
            id={id}
            dir="auto"
            rows="7"
            required={props.demanded}
            placeholder="What to do, and how to tell that it is done. The first line is the title."
            value={props.text}
            onInput={(event) => props.set(event.currentTarget.value)}
          />
        </Match>
        <Match when={true}>
          <input
            id={id}
            dir="auto"
            list={props.field.kind === 'repo' ? list : undefined}
            required={props.demanded}
            placeholder={props.field.kind === 'list' ? 'Comma-separated names' : undefined}
            value={props.text}
            onInput={(event) => props.set(event.currentTarget.value)}
          />
          <Show when={props.field.kind === 'repo'}>
            <datalist id={list}>
              <For each={props.suggestions}>{(slug) => <option value={slug} />}</For>
            </datalist>
          </Show>
        </Match>
      </Switch>
      <Show when={suggestedNames().length > 0}>
        <div class="row suggested">
          <small>Earlier:</small>
          <For each={suggestedNames()}>
            {(name) => (
              <button type="button" onClick={() => props.set(appendName(props.text, name))}>
                <bdi>{name}</bdi>
              </button>
            )}
          </For>
        </div>
      </Show>
    </div>
  );
}

const splitNames = (text: string): string[] => text.split(',').map((name) => name.trim());
