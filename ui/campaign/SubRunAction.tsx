import { MAX_GIVEN_REASON_CHARS } from '../../src/domain/jobLimits.ts';
import { createEffect, createSignal, For, on, Show } from 'solid-js';
import type { SubRunAction, SubRunActionBody, SubRunWhatIf } from '../../src/schema/subRun.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Problem } from '../shell/Problem.tsx';
import { readPatch } from './paramsPatch.ts';
import { changeTexts } from './whatIfText.ts';

const SAYS: Readonly<Record<SubRunAction, string>> = {
  skip: 'Skip: sub-runs that depend on it continue as if it were complete.',
  unskip: 'Undo the skip: it is again what it was before.',
  rerun: 'Run it again, with other params if that helps.',
  cancel: 'Cancel: it ends as failed, and its job is stopped.',
};
const DO: Readonly<Record<SubRunAction, string>> = {
  skip: 'Skip it',
  unskip: 'Undo the skip',
  rerun: 'Run it again',
  cancel: 'Cancel it',
};

/** One action on one sub-run: first what it would change, then the button that does it. */
export function SubRunActionForm(props: {
  jobId: string;
  name: string;
  action: SubRunAction;
  params: Readonly<Record<string, unknown>>;
  /** Receives the names whose status would change. */
  predict: (names: string[]) => void;
  done: () => void;
  close: () => void;
}) {
  const { client, run } = useDashboard();
  const [reason, setReason] = createSignal('');
  const [patch, setPatch] = createSignal('{}');
  const [answer, setAnswer] = createSignal<SubRunWhatIf | null>(null);
  const [problem, setProblem] = createSignal<unknown>(null);
  const [busy, setBusy] = createSignal(false);
  const read = () => readPatch(patch());
  const wrong = () => {
    const found = read();
    return props.action === 'rerun' && 'wrong' in found ? found.wrong : null;
  };

  function body(): SubRunActionBody {
    const found = read();
    const paramsPatch =
      props.action === 'rerun' && 'patch' in found && Object.keys(found.patch).length > 0
        ? found.patch
        : undefined;
    const why = reason().trim();
    return { ...(why ? { reason: why } : {}), ...(paramsPatch ? { paramsPatch } : {}) };
  }

  async function look(): Promise<void> {
    if (wrong() !== null) return;
    try {
      const found = await client.subRunWhatIf(props.jobId, props.name, {
        action: props.action,
        ...body(),
      });
      setAnswer(found);
      setProblem(null);
      props.predict(found.refused === null ? found.changes.map(({ name }) => name) : []);
    } catch (error) {
      setProblem(() => error);
    }
  }
  createEffect(on([() => props.name, () => props.action], () => void look()));

  async function act(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const { jobId, name, action } = props;
    const taken = await run(`${name}: ${action}.`, (to) => {
      if (action === 'skip') return to.skipSubRun(jobId, name, body());
      return action === 'rerun'
        ? to.rerunSubRun(jobId, name, body())
        : to.cancelSubRun(jobId, name, body());
    });
    setBusy(false);
    if (taken) props.done();
    else void look();
  }

  return (
    <form class="sub-run-action" onSubmit={act}>
      <h3>What if?</h3>
      <p>{SAYS[props.action]}</p>
      <Show
        when={answer()}
        fallback={<Show when={problem() === null}>{<p class="muted">Asking the runner …</p>}</Show>}
      >
        {(found) => (
          <div class={`answer ${found().refused === null ? '' : 'refused'}`} role="status">
            <Show
              when={found().refused === null}
              fallback={<p>Not possible now: {found().refused}.</p>}
            >
              <ul>
                <For each={changeTexts(found())}>{(text) => <li>{text}</li>}</For>
              </ul>
            </Show>
          </div>
        )}
      </Show>
      <Show when={problem()}>
        {(error) => <Problem error={error()} retry={() => void look()} />}
      </Show>
      <label class="field">
        Reason (for the journal)
        <input
          type="text"
          maxlength={MAX_GIVEN_REASON_CHARS}
          value={reason()}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </label>
      <Show when={props.action === 'rerun'}>
        <label class="field">
          Params to change, as JSON
          <textarea
            class="mono"
            rows="4"
            spellcheck={false}
            value={patch()}
            aria-invalid={wrong() !== null}
            onInput={({ currentTarget }) => setPatch(currentTarget.value)}
            onChange={() => void look()}
          />
        </label>
        <Show when={wrong()}>{(why) => <p class="chart-wrong">{why()}</p>}</Show>
        <details>
          <summary>Current params</summary>
          <pre>{JSON.stringify(props.params, null, 2)}</pre>
        </details>
      </Show>
      <p class="row">
        <button
          type="submit"
          class={props.action === 'cancel' ? 'danger' : 'primary'}
          disabled={busy() || wrong() !== null || answer()?.refused !== null}
        >
          {DO[props.action]}
        </button>
        <button type="button" onClick={() => props.close()}>
          Keep as is
        </button>
      </p>
    </form>
  );
}
