import { createMemo, createSignal, createUniqueId, For, Show, untrack } from 'solid-js';
import { createReading } from '../../shell/signals/createReading.ts';
import type { ForgeView } from '../../../src/contract/schema/forge/forge.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import type { ForgeRepo } from '../../../src/contract/schema/api/replies.ts';
import type { WorkflowEntry } from '../../../src/contract/schema/workflow/workflow.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { createDraft } from '../../shell/drafts/drafts.ts';
import { Icon } from '../../shell/controls/Icon.tsx';
import { toJobHash } from '../../shell/navigation/router.ts';
import { revealTurningCharacters } from '../../shell/markdown/revealTurningCharacters.ts';
import { Checkpoints } from './Checkpoints.tsx';
import { DispatchDialog } from './DispatchDialog.tsx';
import { NO_SUGGESTIONS, suggestFromEarlierJobs } from './suggestFromEarlierJobs.ts';
import { JobField } from './JobField.tsx';
import { parseFormDraft, serializeFormDraft } from './formDraft.ts';
import {
  refillForm,
  listAdvanceApprovals,
  buildNewJobBody,
  listCheckpoints,
  listWorkflowFields,
  isDemanded,
  type JobFormField,
} from './newJobRequest.ts';
import type { CreateJobBody } from '../../../src/contract/schema/api/bodies.ts';

/**
 * What the job of a request may use, in words: at worst by its caps, most likely by past runs, and
 * the cap that stops it. A request that is refused has no estimate: dispatching it says why.
 */
function JobEstimate(props: { body: CreateJobBody }) {
  const { client } = useDashboard();
  // The estimate is for the request that the dialog was opened with: once it is sent, the form is
  // empty.
  const body = untrack(() => props.body);
  const [reading] = createReading(() => client.estimateJob(body).catch(() => null), {
    initialValue: null,
  });
  return (
    <section class="job-estimate" aria-label="Estimate" aria-busy={reading.loading}>
      <Show
        when={reading.latest}
        fallback={<p class="muted">{reading.loading ? 'Estimating …' : 'No estimate.'}</p>}
      >
        {(estimate) => (
          <ul class="plain">
            <For each={estimate().text}>{(says) => <li dir="auto">{says}</li>}</For>
          </ul>
        )}
      </Show>
    </section>
  );
}

interface NewJobFormProps {
  workflows: readonly WorkflowEntry[];
  repos: readonly ForgeRepo[];
  forges: readonly ForgeView[];
  /** The job that fills the form in; null = none. */
  earlier: Job | null;
  interactive: boolean;
}

/** The form asks for the workflow's createParams. What is typed is kept as a draft. */
export function NewJobForm(props: NewJobFormProps) {
  const { client, connection, team } = useDashboard();
  const id = createUniqueId();
  const draft = createDraft({ job: props.earlier?.id ?? 'new', field: 'new job' });
  const usable = props.workflows.filter(({ problem }) => problem === undefined);
  const first = usable.find(({ id: name }) => name === 'job') ?? usable[0];
  const only = props.repos.length === 1 ? props.repos[0]?.slug : undefined;
  const startForm = {
    path: props.earlier?.workflowPath ?? first?.workflowPath ?? '',
    texts: {},
    interactive: props.interactive,
    approved: null,
  };
  const form = createMemo(() => parseFormDraft(draft.text()) ?? startForm);
  const isKnown = () => props.workflows.some(({ workflowPath }) => workflowPath === form().path);
  /** Empty: the one that was chosen is gone, and no other is taken in its place. */
  const path = () => (isKnown() ? form().path : '');
  const workflow = createMemo(() =>
    props.workflows.find(({ workflowPath }) => workflowPath === path()),
  );
  const fields = createMemo(() =>
    listWorkflowFields(workflow() ?? { createParams: { required: [], optional: [] } }),
  );
  const again = createMemo(() =>
    props.earlier ? refillForm(props.earlier, fields()) : { texts: {}, kept: {} },
  );
  const texts = createMemo<Readonly<Record<string, string>>>(() => ({
    ...(only ? { repoSlug: only } : {}),
    ...again().texts,
    ...form().texts,
  }));
  const checkpoints = createMemo(() => listCheckpoints(workflow()));
  const approvedPhases = () =>
    form().approved ?? listAdvanceApprovals(props.earlier?.params ?? {}, checkpoints());
  const change = (newFields: Partial<ReturnType<typeof form>>) =>
    draft.write(serializeFormDraft({ ...form(), ...newFields }));
  const body = createMemo(() =>
    buildNewJobBody(path(), fields(), texts(), {
      ...again().kept,
      interactive: form().interactive,
      ...(approvedPhases().length > 0 ? { autoApprove: [...approvedPhases()] } : {}),
    }),
  );
  const [asks, setAsks] = createSignal(false);
  const [problem, setProblem] = createSignal<unknown>(null);
  const [suggestions] = createReading(() => suggestFromEarlierJobs(client), {
    initialValue: NO_SUGGESTIONS,
  });

  const dispatch = async () => {
    setProblem(null);
    try {
      const created = await client.createJob(team?.addTarget(body()) ?? body());
      draft.forget();
      // A team's job may wait for a runner.
      location.hash = team?.toCreatedHash(created) ?? toJobHash(created.jobId);
      return true;
    } catch (error) {
      connection.report(error);
      setProblem(error);
      return false;
    }
  };

  const onlyLocal = () => props.forges.every(({ remote }) => !remote);
  const listChoices = ({ kind }: JobFormField): string[] => {
    if (kind === 'forge') return props.forges.map(({ id: name }) => name);
    // With a remote forge any of its repositories is possible; svc does not know them all.
    return kind === 'repo' && onlyLocal() ? props.repos.map(({ slug }) => slug) : [];
  };
  const suggestedFor = ({ kind, param }: JobFormField): string[] => {
    if (kind === 'repo')
      return [...new Set([...props.repos.map(({ slug }) => slug), ...suggestions.latest.repos])];
    return param === 'reviewers' ? suggestions.latest.reviewers : [];
  };

  return (
    <form
      class="section stack"
      onSubmit={(event) => {
        event.preventDefault();
        setProblem(null);
        setAsks(true);
      }}
    >
      <div class="field">
        <label for={`${id}-workflow`}>Workflow</label>
        <select
          id={`${id}-workflow`}
          required
          value={path()}
          onChange={(event) => change({ path: event.currentTarget.value, approved: null })}
        >
          <Show when={path() === ''}>
            <option value="">Choose a workflow</option>
          </Show>
          <For each={props.workflows}>
            {(one) => (
              <option value={one.workflowPath} disabled={one.problem !== undefined}>
                {one.problem === undefined ? one.label : `${one.label} (has errors)`}
              </option>
            )}
          </For>
        </select>
        <Show when={path() === ''}>
          <p class="notice-line">
            <Icon name="warn" /> <bdi>{revealTurningCharacters(form().path)}</bdi> can no longer be
            run. Choose the workflow that should run.
          </p>
        </Show>
        <For each={props.workflows.filter((one) => one.problem !== undefined)}>
          {(brokenWorkflow) => (
            <p class="muted">
              <a href={`#/workflows/${brokenWorkflow.workflowPath}`}>{brokenWorkflow.label}</a>{' '}
              cannot be used: {brokenWorkflow.problem}
            </p>
          )}
        </For>
        <Show when={workflow()}>
          {(chosenWorkflow) => (
            <>
              <p class="muted" dir="auto">
                {chosenWorkflow().description}
              </p>
              <ol class="plain phases" aria-label="Phases">
                <For each={chosenWorkflow().phases}>
                  {(phase) => (
                    <li class="pill literal">
                      <bdi>{phase.name}</bdi>
                    </li>
                  )}
                </For>
              </ol>
            </>
          )}
        </Show>
      </div>
      <For each={fields()}>
        {(field) => (
          <JobField
            field={field}
            demanded={isDemanded(field, texts())}
            text={texts()[field.param] ?? ''}
            set={(text) => change({ texts: { ...texts(), [field.param]: text } })}
            choices={listChoices(field)}
            suggestions={suggestedFor(field)}
          />
        )}
      </For>
      {team && <team.DispatchTarget />}
      <Checkpoints
        phases={checkpoints()}
        approved={approvedPhases()}
        change={(now) => change({ approved: now })}
      />
      <div>
        <label class="row">
          <input
            type="checkbox"
            checked={form().interactive}
            onChange={(event) => change({ interactive: event.currentTarget.checked })}
          />
          Interactive
        </label>
        <small>
          {form().interactive
            ? 'You follow this job: a flagged phase pauses it until you answer.'
            : 'No one follows this job. svc says at the start where it would wait for a person.'}
        </small>
      </div>
      <Show when={Object.keys(again().kept).length > 0}>
        <details>
          <summary>Other parameters copied from the earlier job</summary>
          <pre class="json">{JSON.stringify(again().kept, null, 2)}</pre>
        </details>
      </Show>
      <div class="row">
        <button type="submit" class="primary">
          <Icon name="play" /> Dispatch
        </button>
        <Show when={draft.text() !== ''}>
          <button type="button" class="quiet" onClick={() => draft.forget()}>
            Discard what I typed
          </button>
        </Show>
      </div>
      <Show when={asks() && workflow()}>
        {(chosenWorkflow) => (
          <DispatchDialog
            workflow={chosenWorkflow()}
            params={body().params}
            held={checkpoints().filter((phase) => !approvedPhases().includes(phase))}
            problem={problem()}
            close={() => setAsks(false)}
            send={dispatch}
          >
            <JobEstimate body={body()} />
          </DispatchDialog>
        )}
      </Show>
    </form>
  );
}
