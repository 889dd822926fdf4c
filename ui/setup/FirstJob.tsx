import { createSignal, createUniqueId, For, Show } from 'solid-js';
import type { SetUpView } from '../../src/contract/schema/runner/setUpSteps.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { createDraft } from '../shell/drafts/drafts.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { Problem } from '../shell/problems/Problem.tsx';
import { toRouteHash, toJobHash } from '../shell/navigation/router.ts';
import { toSetUpHash } from './setUpSteps.ts';

const WORKFLOW = 'workflows/job.md';

export function FirstJob(props: { view: SetUpView; onChanged: (view: SetUpView) => void }) {
  const { client } = useDashboard();
  const id = createUniqueId();
  const draft = createDraft({ job: 'setup', field: 'description' });
  const [repo, setRepo] = createSignal(props.view.repositories[0] ?? '');
  const [busy, setBusy] = createSignal(false);
  const [problem, setProblem] = createSignal<unknown>(null);
  const hasHost = () =>
    props.view.steps.some(({ step, state }) => step === 'scm' && state === 'saved');
  const finish = async (then: () => Promise<string>) => {
    setBusy(true);
    setProblem(null);
    try {
      const hash = await then();
      props.onChanged((await client.completeSetUp()).setUp);
      location.hash = hash;
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  const start = async () => {
    const params = { repoSlug: repo().trim(), description: draft.text().trim() };
    const { jobId } = await client.createJob({ type: 'job', workflowPath: WORKFLOW, params });
    draft.forget();
    return toJobHash(jobId);
  };
  return (
    <form
      class="section stack"
      aria-labelledby={`${id}-title`}
      onSubmit={(event) => {
        event.preventDefault();
        void finish(start);
      }}
    >
      <h2 id={`${id}-title`}>Your first job</h2>
      <Show
        when={hasHost()}
        fallback={
          <p>
            A job needs a repository. <a href={toSetUpHash('scm')}>Set up a forge</a>, or finish now
            and do it later.
          </p>
        }
      >
        <div class="field">
          <label for={`${id}-repo`}>Repository</label>
          <input
            id={`${id}-repo`}
            required
            list={`${id}-repos`}
            autocomplete="off"
            placeholder="owner/name"
            value={repo()}
            onInput={(event) => setRepo(event.currentTarget.value)}
          />
          <datalist id={`${id}-repos`}>
            <For each={props.view.repositories}>{(slug) => <option value={slug} />}</For>
          </datalist>
        </div>
        <div class="field">
          <label for={`${id}-what`}>What should be done?</label>
          <textarea
            id={`${id}-what`}
            rows="4"
            required
            value={draft.text()}
            onInput={(event) => draft.write(event.currentTarget.value)}
          />
          <small>
            The agent plans first, and waits for your approval before it changes anything.
          </small>
        </div>
      </Show>
      <Show when={problem()}>{(error) => <Problem error={error()} />}</Show>
      <div class="row">
        <Show when={hasHost()}>
          <button type="submit" class="primary" disabled={busy()}>
            <Icon name="play" /> Start the first job
          </button>
          <button
            type="button"
            disabled={busy()}
            onClick={() => void finish(async () => toRouteHash(['plan']))}
          >
            Discuss it first in plan mode
          </button>
        </Show>
        <button
          type="button"
          class="quiet"
          disabled={busy()}
          onClick={() => void finish(async () => toRouteHash(['jobs']))}
        >
          Finish without a job
        </button>
      </div>
    </form>
  );
}
