import { createUniqueId, Show } from 'solid-js';
import type { SetUpValue } from '../../src/contract/schema/runner/setUpSteps.ts';

/** What is taken where nothing is typed. */
function describeTakenValue({ saved, env, proposed }: SetUpValue): string | null {
  if (saved) return 'One is saved; it stays unless you give another.';
  if (env !== null) return `Taken from ${env} of the runner unless you give another.`;
  return proposed === null ? null : `${proposed} unless you give another.`;
}

/** One value of a choice. A secret is not shown, and never comes back. */
export function ValueField(props: {
  value: SetUpValue;
  text: string;
  write: (text: string) => void;
}) {
  const id = createUniqueId();
  const isNeeded = () => props.value.required && describeTakenValue(props.value) === null;
  return (
    <div class="field">
      <label for={id}>
        {props.value.says}
        {isNeeded() ? '' : ' (optional)'}
      </label>
      <input
        id={id}
        type={props.value.secret ? 'password' : 'text'}
        autocomplete="off"
        spellcheck={false}
        required={isNeeded()}
        value={props.text}
        aria-describedby={describeTakenValue(props.value) === null ? undefined : `${id}-taken`}
        onInput={(event) => props.write(event.currentTarget.value)}
      />
      <Show when={describeTakenValue(props.value)}>
        {(text) => <small id={`${id}-taken`}>{text()}</small>}
      </Show>
    </div>
  );
}
