import { createMemo, createSignal, createUniqueId, For, Match, Show, Switch } from 'solid-js';
import type { Job } from '../../../src/schema/job.ts';
import type { ForgeRepo } from '../../../src/schema/replies.ts';
import type { WorkflowEntry } from '../../../src/schema/workflow.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { Icon } from '../../shell/Icon.tsx';
import { Problem } from '../../shell/Problem.tsx';
import { jobHash } from '../../shell/router.ts';
import { againOf, bodyOf, type Field, fieldsOf, isDemanded } from './newJobRequest.ts';

interface DispatchFormProps {
  workflows: readonly WorkflowEntry[];
  repos: readonly ForgeRepo[];
  /** The job that fills the form in; null = none. */
  earlier: Job | null;
  /** Whether the job is interactive unless the person changes it. */
  interactive: boolean;
}

/** The form of a workflow: what its createParams ask for. */
export function NewJobForm(props: DispatchFormProps) {
  const { client, connection } = useDashboard();
  const id = createUniqueId();
  const usable = props.workflows.filter(({ problem: fault }) => fault === undefined);
  const first = usable.find(({ id: name }) => name === 'job') ?? usable[0];
  const [path, setPath] = createSignal(props.earlier?.workflowPath ?? first?.workflowPath ?? '');
  const workflow = createMemo(() =>
    props.workflows.find(({ workflowPath }) => workflowPath === path()),
  );
  const fields = createMemo(() =>
    fieldsOf(workflow() ?? { createParams: { required: [], optional: [] } }),
  );
  const again = createMemo(() =>
    props.earlier ? againOf(props.earlier, fields()) : { texts: {}, kept: {} },
  );
  const only = props.repos.length === 1 ? props.repos[0]?.slug : undefined;
  const [texts, setTexts] = createSignal<Readonly<Record<string, string>>>({
    ...(only ? { repoSlug: only } : {}),
    ...again().texts,
  });
  const [interactive, setInteractive] = createSignal(props.interactive);
  const [busy, setBusy] = createSignal(false);
  const [problem, setProblem] = createSignal<unknown>(null);
  const set = (param: string, text: string) => setTexts((now) => ({ ...now, [param]: text }));

  const demanded = (field: Field) => isDemanded(field, texts());

  const dispatch = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const { jobId } = await client.createJob(
        bodyOf(path(), fields(), texts(), { ...again().kept, interactive: interactive() }),
      );
      location.hash = jobHash(jobId);
    } catch (error) {
      connection.report(error);
      setProblem(error);
      setBusy(false);
    }
  };

  const input = (field: Field) => (
    <div class="field">
      <label for={`${id}-${field.param}`}>
        {field.label} <Show when={!demanded(field)}>{<small>optional</small>}</Show>
      </label>
      <Switch
        fallback={
          <input
            id={`${id}-${field.param}`}
            required={demanded(field)}
            placeholder={field.kind === 'list' ? 'Comma-separated names' : undefined}
            value={texts()[field.param] ?? ''}
            onInput={(event) => set(field.param, event.currentTarget.value)}
          />
        }
      >
        <Match when={field.kind === 'repo' && props.repos.length > 0}>
          <select
            id={`${id}-${field.param}`}
            required={demanded(field)}
            value={texts()[field.param] ?? ''}
            onChange={(event) => set(field.param, event.currentTarget.value)}
          >
            <option value="">Choose a repository</option>
            <For each={props.repos}>{(repo) => <option value={repo.slug}>{repo.slug}</option>}</For>
          </select>
        </Match>
        <Match when={field.kind === 'long'}>
          <textarea
            id={`${id}-${field.param}`}
            rows="7"
            required={demanded(field)}
            placeholder="What to do, and how to tell that it is done. The first line is the title."
            value={texts()[field.param] ?? ''}
            onInput={(event) => set(field.param, event.currentTarget.value)}
          />
        </Match>
      </Switch>
    </div>
  );

  return (
    <form class="card stack" onSubmit={dispatch}>
      <div class="field">
        <label for={`${id}-workflow`}>Workflow</label>
        <select
          id={`${id}-workflow`}
          value={path()}
          onChange={(event) => setPath(event.currentTarget.value)}
        >
          <For each={props.workflows}>
            {(one) => (
              <option value={one.workflowPath} disabled={one.problem !== undefined}>
                {one.problem === undefined ? one.label : `${one.label} (has errors)`}
              </option>
            )}
          </For>
        </select>
        <For each={props.workflows.filter(({ problem: fault }) => fault !== undefined)}>
          {(broken) => (
            <p class="muted">
              <a href={`#/workflows/${broken.workflowPath}`}>{broken.label}</a> cannot be used:{' '}
              {broken.problem}
            </p>
          )}
        </For>
        <Show when={workflow()}>
          {(chosen) => (
            <>
              <p class="muted">{chosen().description}</p>
              <ol class="plain phases" aria-label="Phases">
                <For each={chosen().phases}>{(phase) => <li class="pill">{phase.name}</li>}</For>
              </ol>
            </>
          )}
        </Show>
      </div>
      <For each={fields()}>{input}</For>
      <div>
        <label class="row">
          <input
            type="checkbox"
            checked={interactive()}
            onChange={(event) => setInteractive(event.currentTarget.checked)}
          />
          Interactive
        </label>
        <small>
          {interactive()
            ? 'It stops at every checkpoint until a person approves.'
            : 'It runs unattended. Checkpoints still wait, unless they are approved in advance.'}
        </small>
      </div>
      <Show when={Object.keys(again().kept).length > 0}>
        <details>
          <summary>Other parameters copied from the earlier job</summary>
          <pre class="json">{JSON.stringify(again().kept, null, 2)}</pre>
        </details>
      </Show>
      <Show when={problem()}>{(error) => <Problem error={error()} />}</Show>
      <div class="row">
        <button type="submit" class="primary" disabled={busy()}>
          <Icon name="play" /> Dispatch
        </button>
        <a class="button quiet" href="#/">
          Cancel
        </a>
      </div>
    </form>
  );
}
