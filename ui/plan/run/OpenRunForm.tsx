import { createMemo, createSignal, createUniqueId, For, Show } from 'solid-js';
import { RUN_REPAIRED, RUN_UNREADABLE } from '../../../src/base/agents/planNotes.ts';
import { describeRemovedMember } from '../../../src/base/agents/describeRemovedMember.ts';
import type { WorkflowEntry } from '../../../src/contract/schema/workflow/workflow.ts';
import { Checkpoints } from '../../jobs/newJob/Checkpoints.tsx';
import { parseFormDraft, serializeFormDraft } from '../../jobs/newJob/formDraft.ts';
import { JobField } from '../../jobs/newJob/JobField.tsx';
import {
  buildNewJobBody,
  listCheckpoints,
  listWorkflowFields,
  isDemanded,
  type JobFormField,
} from '../../jobs/newJob/newJobRequest.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { createDraft } from '../../shell/drafts/drafts.ts';
import { Icon } from '../../shell/controls/Icon.tsx';
import { usePageKeys } from '../../shell/keys/pageKeys.ts';
import { revealTurningCharacters } from '../../shell/markdown/revealTurningCharacters.ts';
import { useStore } from '../../shell/useStore.ts';
import { usePlan } from '../planContext.ts';
import { toPlanDraftOwner } from '../sessionIds.ts';
import { DispatchPlan } from './DispatchPlan.tsx';
import type { RunSources } from './readRunSources.ts';
import { collectRunValues, describeValueSource } from './collectRunValues.ts';
import type { ProposedRun } from '../../../src/contract/schema/planning/proposedRun.ts';

interface ChosenWorkflow {
  /** Empty: a person has to choose. */
  path: string;
  /** The model has chosen it, and no person has chosen another. */
  isModels: boolean;
  /** Why a choice is refused, for people; null = it is accepted, or none was made. */
  refused: string | null;
}

interface ChooseWorkflow {
  /** Path that a person has chosen; empty = none. */
  typed: string;
  run: Pick<ProposedRun, 'workflowPath' | 'removed'> | null;
  usable: readonly Pick<WorkflowEntry, 'id' | 'workflowPath'>[];
}

const CHOOSE = 'Choose the workflow that should run.';

/**
 * The workflow of a run: the person's choice, else the model's, else the default job. A choice that
 * cannot run leaves the field empty, so that no workflow runs that no one has chosen.
 */
export function chooseWorkflow({ typed, run, usable }: ChooseWorkflow): ChosenWorkflow {
  const isUsable = (path: string) => usable.some(({ workflowPath }) => workflowPath === path);
  if (typed !== '' && isUsable(typed)) return { path: typed, isModels: false, refused: null };
  const open = (why: string) => ({ path: '', isModels: false, refused: `${why} ${CHOOSE}` });
  if (typed !== '') return open(`The workflow ${typed}, which you chose, can no longer be run.`);
  const proposedPath = run?.workflowPath ?? null;
  if (proposedPath !== null && isUsable(proposedPath))
    return { path: proposedPath, isModels: true, refused: null };
  if (proposedPath !== null)
    return open(`The workflow ${proposedPath}, which the model chose, can no longer be run.`);
  const removal = run?.removed.find(({ name }) => name === 'workflowPath');
  if (removal) return open(describeRemovedMember(removal));
  const byDefault = usable.find(({ id }) => id === 'job') ?? usable[0];
  return { path: byDefault?.workflowPath ?? '', isModels: false, refused: null };
}

export function OpenRunForm(props: RunSources) {
  const { shell } = useDashboard();
  const { conversation, investigation } = usePlan();
  const id = createUniqueId();
  const isLost = useStore(shell, (context) => context.lostSince !== null);
  const draft = createDraft({ job: toPlanDraftOwner(conversation.sessionId), field: 'run' });
  const [asks, setAsks] = createSignal(false);
  let element: HTMLFormElement | undefined;

  const usable = () => props.workflows.filter(({ problem }) => problem === undefined);
  const run = () => investigation()?.run ?? null;
  const formDraft = createMemo(
    () =>
      parseFormDraft(draft.text()) ?? {
        path: '',
        texts: {},
        interactive: props.interactive,
        approved: null,
      },
  );
  const chosenWorkflow = createMemo(() =>
    chooseWorkflow({ typed: formDraft().path, run: run(), usable: usable() }),
  );
  const path = () => chosenWorkflow().path;
  const workflow = createMemo(() => usable().find(({ workflowPath }) => workflowPath === path()));
  const fields = createMemo(() =>
    listWorkflowFields(workflow() ?? { createParams: { required: [], optional: [] } }),
  );
  const values = createMemo(() =>
    collectRunValues({
      fields: fields(),
      run: run(),
      typed: formDraft().texts,
      investigation: investigation(),
      onlyRepo: props.repos.length === 1 ? (props.repos[0]?.slug ?? null) : null,
    }),
  );
  const texts = createMemo<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(Object.entries(values()).map(([param, { text }]) => [param, text])),
  );
  const checkpoints = createMemo(() => listCheckpoints(workflow()));
  const approvedPhases = () => formDraft().approved ?? [];
  const change = (newFields: Partial<ReturnType<typeof formDraft>>) =>
    draft.write(serializeFormDraft({ ...formDraft(), ...newFields }));
  const write = (param: string, text: string) =>
    change({ texts: { ...formDraft().texts, [param]: text } });
  const body = createMemo(() =>
    buildNewJobBody(path(), fields(), texts(), {
      interactive: formDraft().interactive,
      ...(approvedPhases().length > 0 ? { autoApprove: [...approvedPhases()] } : {}),
    }),
  );
  const ready = () => investigation() !== null && workflow() !== undefined && !isLost();
  /** A chat is dispatched from its findings: before they are complete, asking is the next step. */
  const hasFindings = () =>
    (investigation()?.findings ?? null) !== null && !conversation.isRunning();
  const onlyLocal = () => props.forges.every(({ remote }) => !remote);
  const listChoices = ({ kind }: JobFormField): string[] => {
    if (kind === 'forge') return props.forges.map(({ id: name }) => name);
    return kind === 'repo' && onlyLocal() ? props.repos.map(({ slug }) => slug) : [];
  };
  const suggestedFor = ({ kind, param }: JobFormField): string[] => {
    if (kind === 'repo')
      return [...new Set([...props.repos.map(({ slug }) => slug), ...props.suggestions.repos])];
    return param === 'reviewers' ? props.suggestions.reviewers : [];
  };
  usePageKeys(() =>
    ready()
      ? [{ keys: ['d'], says: 'Dispatch', does: { do: () => element?.requestSubmit() } }]
      : [],
  );

  return (
    <form
      ref={element}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        setAsks(true);
      }}
    >
      <Show when={run()?.repaired}>
        <p class="notice-line">
          <Icon name="warn" /> {RUN_REPAIRED}
        </p>
      </Show>
      <Show when={run()?.unreadable}>
        <p class="notice-line">
          <Icon name="warn" /> {RUN_UNREADABLE}
        </p>
      </Show>
      <div class="field">
        <label for={`${id}-workflow`}>Workflow</label>
        <select
          id={`${id}-workflow`}
          required
          value={path()}
          aria-describedby={chosenWorkflow().refused === null ? undefined : `${id}-refused`}
          onChange={(event) => change({ path: event.currentTarget.value, approved: null })}
        >
          <Show when={path() === ''}>
            <option value="">Choose a workflow</option>
          </Show>
          <For each={usable()}>
            {(one) => <option value={one.workflowPath}>{one.label}</option>}
          </For>
        </select>
        <Show when={chosenWorkflow().isModels}>
          <small>from the model</small>
        </Show>
        <Show when={chosenWorkflow().refused}>
          {(text) => (
            <p class="notice-line" id={`${id}-refused`}>
              <Icon name="warn" /> <bdi>{revealTurningCharacters(text())}</bdi>
            </p>
          )}
        </Show>
      </div>
      <For each={fields()}>
        {(field) => (
          <div class="run-field">
            <JobField
              field={field}
              demanded={isDemanded(field, texts())}
              text={texts()[field.param] ?? ''}
              set={(text) => write(field.param, text)}
              choices={listChoices(field)}
              suggestions={suggestedFor(field)}
            />
            <Show when={values()[field.param]?.source}>
              {(source) => (
                <small class="run-source" classList={{ outside: source().kind === 'outside' }}>
                  {describeValueSource(source())}
                </small>
              )}
            </Show>
          </div>
        )}
      </For>
      <For each={run()?.removed.filter(({ name }) => name !== 'workflowPath')}>
        {(one) => (
          <p class="notice-line">
            <Icon name="warn" /> <bdi>{revealTurningCharacters(describeRemovedMember(one))}</bdi>
          </p>
        )}
      </For>
      <details>
        <summary>How it runs</summary>
        <div class="stack run-how">
          <label class="row">
            <input
              type="checkbox"
              checked={formDraft().interactive}
              onChange={(event) => change({ interactive: event.currentTarget.checked })}
            />
            Interactive: a person follows the job
          </label>
          <Checkpoints
            phases={checkpoints()}
            approved={approvedPhases()}
            change={(next) => change({ approved: next })}
          />
        </div>
      </details>
      <div class="run-dispatch">
        <button
          type="submit"
          class={hasFindings() ? 'primary' : ''}
          disabled={!ready()}
          title="Dispatch (d)"
        >
          <Icon name="play" /> Dispatch …
        </button>
      </div>
      <Show when={asks() && workflow()}>
        {(confirmedWorkflow) => (
          <DispatchPlan
            workflow={confirmedWorkflow()}
            body={body()}
            held={checkpoints().filter((phase) => !approvedPhases().includes(phase))}
            close={() => setAsks(false)}
            onSent={() => draft.forget()}
          />
        )}
      </Show>
    </form>
  );
}
