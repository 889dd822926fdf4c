import { createSignal, createUniqueId, For, Show } from 'solid-js';
import type {
  SetUpReply,
  SetUpStep,
  SetUpValue,
} from '../../src/contract/schema/runner/setUpSteps.ts';
import { capitalizeFirst } from '../../src/base/text/capitalizeFirst.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Problem } from '../shell/problems/Problem.tsx';
import { pickOfferedChoice } from './setUpSteps.ts';

/** The value that is used if nothing is typed. */
function describeTakenValue({ saved, env, proposed }: SetUpValue): string | null {
  if (saved) return 'A value is saved. Leave empty to keep it.';
  if (env !== null)
    return `Taken from ${env} in the runner's environment unless you enter a value.`;
  return proposed === null ? null : `Default: ${proposed}.`;
}

/** One value of a choice. A secret is not shown, and never comes back. */
function ValueField(props: { value: SetUpValue; text: string; write: (text: string) => void }) {
  const id = createUniqueId();
  const isNeeded = () => props.value.required && describeTakenValue(props.value) === null;
  return (
    <div class="field">
      <label for={id}>
        {capitalizeFirst(props.value.says)}
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

export function StepForm(props: { step: SetUpStep; onAnswered: (reply: SetUpReply) => void }) {
  const { client } = useDashboard();
  const id = createUniqueId();
  const [choiceId, setChoiceId] = createSignal(pickOfferedChoice(props.step)?.id ?? '');
  const [texts, setTexts] = createSignal<Readonly<Record<string, string>>>({});
  const [takes, setTakes] = createSignal(false);
  const [usesLogin, setUsesLogin] = createSignal(false);
  const [busy, setBusy] = createSignal(false);
  const [problem, setProblem] = createSignal<unknown>(null);
  const choice = () => props.step.choices.find((one) => one.id === choiceId());
  const usual = () => choice()?.values.filter(({ asked }) => asked) ?? [];
  const others = () => choice()?.values.filter(({ asked }) => !asked) ?? [];
  const write = (name: string, text: string) => setTexts({ ...texts(), [name]: text });
  const send = async (ask: () => Promise<SetUpReply>) => {
    setBusy(true);
    setProblem(null);
    try {
      props.onAnswered(await ask());
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  const save = () => {
    const filledTexts = Object.entries(texts()).filter(([, text]) => text.trim() !== '');
    return send(() =>
      client.answerSetUpStep(props.step.step, {
        choice: choiceId(),
        values: Object.fromEntries(filledTexts),
        takeToken: takes(),
        useLogin: usesLogin(),
      }),
    );
  };
  return (
    <form
      class="section stack"
      aria-labelledby={`${id}-title`}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h2 id={`${id}-title`}>{props.step.title}</h2>
      <For each={props.step.saved}>{(line) => <p>Saved: {line}</p>}</For>
      <Show when={props.step.found.length > 0}>
        <div class="stack">
          <p class="muted">Found on this machine:</p>
          <ul>
            <For each={props.step.found}>{(line) => <li>{line}</li>}</For>
          </ul>
        </div>
      </Show>
      <Show when={props.step.choices.length > 1}>
        <fieldset class="stack choices">
          <legend>Choose one</legend>
          <For each={props.step.choices}>
            {(one) => (
              <label class="row">
                <input
                  type="radio"
                  name={`${id}-choice`}
                  checked={one.id === choiceId()}
                  onChange={() => {
                    setChoiceId(one.id);
                    setTexts({});
                    setTakes(false);
                    setUsesLogin(false);
                    setProblem(null);
                  }}
                />
                <span class="grow">
                  <strong>{one.id}</strong> {one.title}
                  <Show when={one.found}>
                    {(foundText) => <small> Found: {foundText()}</small>}
                  </Show>
                </span>
              </label>
            )}
          </For>
        </fieldset>
      </Show>
      <Show when={choice()} keyed>
        {(one) => (
          <>
            <Show when={one.install}>
              {(install) => (
                <p>
                  Install first, in a terminal: <code>{install()}</code>
                </p>
              )}
            </Show>
            <Show when={one.tokenFrom}>
              {(program) => (
                <label class="row">
                  <input
                    type="checkbox"
                    checked={takes()}
                    onChange={(event) => setTakes(event.currentTarget.checked)}
                  />
                  Take the token that {program()} has on this machine
                </label>
              )}
            </Show>
            <Show when={one.loginIn}>
              {(folder) => (
                <label class="row">
                  <input
                    type="checkbox"
                    checked={usesLogin()}
                    onChange={(event) => setUsesLogin(event.currentTarget.checked)}
                  />
                  <span>
                    Use the login in {folder()}. Sessions share the limits of its plan with you, and
                    cannot run in a sandbox. The terms of its vendor apply.
                  </span>
                </label>
              )}
            </Show>
            <For
              each={usual().filter(
                ({ name, secret }) => !(takes() && name === 'token') && !(usesLogin() && secret),
              )}
            >
              {(value) => (
                <ValueField
                  value={value}
                  text={texts()[value.name] ?? ''}
                  write={(text) => write(value.name, text)}
                />
              )}
            </For>
            <Show when={others().length > 0}>
              <details>
                <summary>More settings</summary>
                <div class="stack">
                  <For each={others()}>
                    {(value) => (
                      <ValueField
                        value={value}
                        text={texts()[value.name] ?? ''}
                        write={(text) => write(value.name, text)}
                      />
                    )}
                  </For>
                </div>
              </details>
            </Show>
            <p class="muted">
              Writes <code>{one.saves.join(', ')}</code>
            </p>
          </>
        )}
      </Show>
      <Show when={problem()}>{(error) => <Problem error={error()} />}</Show>
      <div class="row">
        <button type="submit" class="primary" disabled={busy()}>
          Save and continue
        </button>
        <button
          type="button"
          disabled={busy()}
          onClick={() => void send(() => client.skipSetUpStep(props.step.step))}
        >
          {props.step.state === 'saved' ? 'Keep saved value' : 'Skip for now'}
        </button>
      </div>
    </form>
  );
}
