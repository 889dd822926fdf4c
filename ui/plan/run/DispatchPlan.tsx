import { createSignal, For, Show } from 'solid-js';
import type { CreateJobBody } from '../../../src/contract/schema/api/bodies.ts';
import type { WorkflowEntry } from '../../../src/contract/schema/workflow/workflow.ts';
import { ClientError } from '../../../src/api/client/problem.ts';
import { ComparedLines } from '../../inbox/ComparedLines.tsx';
import { pickChangedParts, compareLines } from '../../inbox/compareLines.ts';
import { DispatchDialog } from '../../jobs/newJob/DispatchDialog.tsx';
import { useDashboard } from '../../shell/dashboard.ts';
import { createDraft } from '../../shell/drafts/drafts.ts';
import { Icon } from '../../shell/controls/Icon.tsx';
import { toJobHash } from '../../shell/navigation/router.ts';
import { revealTurningCharacters } from '../../shell/markdown/revealTurningCharacters.ts';
import { usePlan } from '../planContext.ts';
import { describeDrift } from '../planText.ts';
import { toPlanDraftOwner } from '../sessionIds.ts';

interface DispatchPlanProps {
  workflow: WorkflowEntry;
  body: CreateJobBody;
  held: readonly string[];
  close: () => void;
  onSent: () => void;
}

export function DispatchPlan(props: DispatchPlanProps) {
  const { client, connection, shell } = useDashboard();
  const { conversation, investigation } = usePlan();
  /** The findings that are on the screen when the person decides. */
  const [shownFindings, setShownFindings] = createSignal(investigation()?.findings ?? null);
  const [changedFrom, setChangedFrom] = createSignal<string | null>(null);
  const [problem, setProblem] = createSignal<unknown>(null);
  const params = () => {
    const findings = shownFindings();
    if (findings === null) return props.body.params;
    const { sha256 } = findings;
    const investigationId = conversation.sessionId;
    return { ...props.body.params, investigationId, findingsSha: sha256 };
  };
  const edit = createDraft({ job: toPlanDraftOwner(conversation.sessionId), field: 'findings' });
  const isUnsaved = () => edit.text() !== '' && edit.text() !== (shownFindings()?.text ?? '');
  const outside = () => investigation()?.outside ?? [];
  const drift = () => {
    const openInvestigation = investigation();
    return openInvestigation && describeDrift(openInvestigation);
  };
  const parts = () => {
    const lines = compareLines(changedFrom() ?? '', shownFindings()?.text ?? '');
    return lines && pickChangedParts(lines);
  };

  /** Shows newer findings beside those on the screen and asks again. False = no newer ones. */
  async function showNewest(): Promise<boolean> {
    const before = shownFindings();
    await conversation.look();
    const newest = investigation()?.findings ?? null;
    if (newest?.sha256 === before?.sha256) return false;
    setShownFindings(newest);
    setChangedFrom(before?.text ?? '');
    return true;
  }

  const send = async () => {
    setProblem(null);
    // The runner refuses findings that have changed. With none on the screen it has none to compare.
    if (shownFindings() === null && (await showNewest())) return false;
    try {
      const { jobId } = await client.createJob({ ...props.body, params: params() });
      props.onSent();
      shell.trigger.did({ text: 'Dispatched. The chat is kept.' });
      location.hash = toJobHash(jobId);
      return true;
    } catch (error) {
      connection.report(error);
      const conflict = error instanceof ClientError && error.status === 409;
      if (!(conflict && (await showNewest()))) setProblem(error);
      return false;
    }
  };

  return (
    <DispatchDialog
      workflow={props.workflow}
      params={props.body.params}
      held={props.held}
      problem={problem()}
      close={props.close}
      send={send}
    >
      <Show
        when={shownFindings()}
        fallback={
          <p class="notice-line">
            <Icon name="warn" /> This chat has no findings: the job gets the description alone and
            is not linked to the chat.
          </p>
        }
      >
        <p class="muted">The job gets the findings of this chat as they are shown.</p>
      </Show>
      <Show when={isUnsaved()}>
        <p class="notice-line">
          <Icon name="warn" /> Your edit of the findings is not saved, so the job does not get it.
        </p>
      </Show>
      <Show when={changedFrom() !== null}>
        <div class="notice stack" role="alert">
          <p>
            <strong>The findings have changed since you opened this.</strong> Nothing was
            dispatched. What has changed:
          </p>
          <ComparedLines parts={parts()} />
        </div>
      </Show>
      <Show when={outside().length > 0}>
        <div class="notice stack outside-sources">
          <p>
            <Icon name="warn" />{' '}
            <strong>The model has read text from people outside of the team.</strong> It may have
            followed it. Read the description and the findings before you dispatch.
          </p>
          <ul>
            <For each={outside()}>
              {(target) => (
                <li>
                  <bdi>{revealTurningCharacters(target)}</bdi>
                </li>
              )}
            </For>
          </ul>
        </div>
      </Show>
      <Show when={drift()}>
        {(text) => (
          <p class="notice-line">
            <Icon name="warn" /> {text()}
          </p>
        )}
      </Show>
    </DispatchDialog>
  );
}
