import { MAX_GIVEN_REASON_CHARS } from '../../src/base/limits/jobLimits.ts';
import { createEffect, createSignal, For, on, onCleanup, Show } from 'solid-js';
import type {
  SubRunAction,
  SubRunActionBody,
  SubRunWhatIf,
} from '../../src/contract/schema/job/subRun.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { createDraft } from '../shell/drafts/drafts.ts';
import { OlderResult } from '../shell/problems/OlderResult.tsx';
import { Problem } from '../shell/problems/Problem.tsx';
import { ParamsForm, type ParsedPatch } from './ParamsForm.tsx';
import { canUndoSkip, undoSkip } from './undoSkip.ts';
import { describeSubRunEffects } from './describeSubRunEffects.ts';

const SAYS: Readonly<Record<SubRunAction, string>> = {
  skip: 'Sub-runs that depend on it continue as if it were complete.',
  unskip: 'The skip is undone: the sub-run is what it was before.',
  rerun: 'It gets a new job, with other parameters if that helps.',
  cancel: 'It ends as failed, and its job is stopped.',
};
const DO: Readonly<Record<SubRunAction, string>> = {
  skip: 'Skip it',
  unskip: 'Undo the skip',
  rerun: 'Run it again',
  cancel: 'Cancel it',
};
const DONE: Readonly<Record<SubRunAction, string>> = {
  skip: 'skipped',
  unskip: 'is no longer skipped',
  rerun: 'runs again',
  cancel: 'cancelled',
};
/** Between the last key typed into a parameter and the question what a rerun would change, ms. */
const LOOK_AFTER_MS = 300;
const ACCEPTS =
  'It stays as it is. Sub-runs that depend on it are skipped, and the campaign continues.';

export function SubRunActionForm(props: {
  jobId: string;
  name: string;
  action: SubRunAction;
  params: Readonly<Record<string, unknown>>;
  /** It has failed or escalated: to cancel it is to accept that. */
  broken: boolean;
  /** Receives the names whose status would change. */
  predict: (names: string[]) => void;
  onDone: () => void;
  close: () => void;
}) {
  const { client, run } = useDashboard();
  const reason = createDraft({
    job: props.jobId,
    field: `reason to ${props.action} ${props.name}`,
  });
  const params = createDraft({ job: props.jobId, field: `parameters of ${props.name}` });
  const [patch, setPatch] = createSignal<ParsedPatch>({ patch: {} });
  const [lastPrediction, setLastPrediction] = createSignal<{
    answer: SubRunWhatIf;
    of: string;
  } | null>(null);
  const answer = () => lastPrediction()?.answer ?? null;
  const [problem, setProblem] = createSignal<unknown>(null);
  const [busy, setBusy] = createSignal(false);
  const accepts = () => props.action === 'cancel' && props.broken;
  const wrong = () => {
    const reading = patch();
    return props.action === 'rerun' && 'wrong' in reading ? reading.wrong : null;
  };

  function body(): SubRunActionBody {
    const reading = patch();
    const paramsPatch =
      props.action === 'rerun' && 'patch' in reading && Object.keys(reading.patch).length > 0
        ? reading.patch
        : undefined;
    const why = reason.text().trim();
    return { ...(why ? { reason: why } : {}), ...(paramsPatch ? { paramsPatch } : {}) };
  }

  /** The reason does not affect the answer. */
  const buildReadKey = () => JSON.stringify([props.name, props.action, patch()]);
  const isOld = () => lastPrediction() !== null && lastPrediction()?.of !== buildReadKey();

  async function look(): Promise<void> {
    if (wrong() !== null) return;
    const of = buildReadKey();
    try {
      const prediction = await client.subRunWhatIf(props.jobId, props.name, {
        action: props.action,
        ...body(),
      });
      setLastPrediction({ answer: prediction, of });
      setProblem(null);
      props.predict(prediction.refused === null ? prediction.changes.map(({ name }) => name) : []);
    } catch (error) {
      setProblem(() => error);
    }
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const lookSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), LOOK_AFTER_MS);
  };
  onCleanup(() => clearTimeout(timer));
  createEffect(on([() => props.name, () => props.action], () => void look()));

  async function act(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const { jobId, name, action } = props;
    const prediction = answer();
    const says = accepts() ? `Failure of ${name} accepted.` : `${name} ${DONE[action]}.`;
    const wasTaken = await run(
      says,
      (to) => {
        if (action === 'skip') return to.skipSubRun(jobId, name, body());
        if (action === 'unskip') return to.unskipSubRun(jobId, name, body());
        return action === 'rerun'
          ? to.rerunSubRun(jobId, name, body())
          : to.cancelSubRun(jobId, name, body());
      },
      action === 'skip' && prediction !== null && canUndoSkip(prediction)
        ? undoSkip(jobId, name)
        : undefined,
    );
    setBusy(false);
    if (wasTaken) {
      reason.forget();
      params.forget();
      props.onDone();
    } else void look();
  }

  return (
    <form class="sub-run-action" onSubmit={act}>
      <h3>What if?</h3>
      <p>{accepts() ? ACCEPTS : SAYS[props.action]}</p>
      <Show
        when={answer()}
        fallback={<Show when={problem() === null}>{<p class="muted">Asking the runner …</p>}</Show>}
      >
        {(prediction) => (
          <OlderResult isOld={isOld()} of="earlier parameters">
            <div class={`answer ${prediction().refused === null ? '' : 'refused'}`} role="status">
              <Show
                when={prediction().refused === null}
                fallback={<p>Not possible now: {prediction().refused}.</p>}
              >
                <ul>
                  <For each={describeSubRunEffects(prediction())}>{(text) => <li>{text}</li>}</For>
                </ul>
                <Show when={props.action === 'skip'}>
                  <p>
                    {canUndoSkip(prediction())
                      ? 'You can undo it until something that depends on it has started.'
                      : 'This cannot be undone.'}
                  </p>
                </Show>
              </Show>
            </div>
          </OlderResult>
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
          value={reason.text()}
          onInput={({ currentTarget }) => reason.write(currentTarget.value)}
        />
      </label>
      <Show when={props.action === 'rerun'}>
        <ParamsForm
          params={props.params}
          draft={params}
          onChange={(reading) => {
            setPatch(() => reading);
            lookSoon();
          }}
        />
      </Show>
      <p class="row">
        <button
          type="submit"
          class={props.action === 'cancel' && !props.broken ? 'danger' : 'primary'}
          disabled={busy() || wrong() !== null || isOld() || answer()?.refused !== null}
        >
          {accepts() ? 'Accept the failure' : DO[props.action]}
        </button>
        <button type="button" onClick={() => props.close()}>
          {props.action === 'cancel' && !props.broken ? 'Keep it running' : 'Cancel'}
        </button>
      </p>
    </form>
  );
}
