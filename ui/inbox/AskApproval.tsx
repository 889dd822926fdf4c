import { createSignal, Show } from 'solid-js';
import type { Approval } from '../../src/contract/schema/job/approval.ts';
import { AskDialog } from '../shell/controls/AskDialog.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { useStore } from '../shell/useStore.ts';
import { CommandRow } from '../shell/controls/CommandRow.tsx';
import { Icon } from '../shell/controls/Icon.tsx';
import { usePageKeys } from '../shell/keys/pageKeys.ts';
import { ReplyForm } from '../shell/controls/ReplyForm.tsx';
import { formatJobTitle } from '../jobs/jobText.ts';
import type { AskProps } from './askProps.ts';
import { ApprovalScope, describeApprovalOutcome } from './ApprovalScope.tsx';
import { OpenChanges } from './OpenChanges.tsx';
import { PlanView } from './PlanView.tsx';

/** A checkpoint: the plan, what an approval covers, and the decision. */
export function AskApproval(props: AskProps & { approval: Approval }) {
  const [planHash, setPlanHash] = createSignal<string | null>(null);
  /** The hash of what was on the screen when the person decided; null = no question is open. */
  const [hashToApprove, setHashToApprove] = createSignal<string | null>(null);
  let reply: HTMLDivElement | undefined;
  const { offers, shell } = useDashboard();
  const isLost = useStore(shell, (context) => context.lostSince !== null);
  const ask = () => {
    if (!isLost() && offers('resume')) setHashToApprove(planHash());
  };
  const approve = async (shownPlan: string) => {
    const { id } = props.job;
    // The runner compares the hash, so that a plan that has changed meanwhile is not approved.
    await props.command('Approved.', (client) =>
      client.resume(id, { eventKey: 'approve', shown: shownPlan }),
    );
    return true;
  };
  usePageKeys(() => [
    { keys: ['a'], says: 'Approve', does: { do: ask } },
    {
      keys: ['r'],
      says: 'Request changes',
      does: { do: () => reply?.querySelector('textarea')?.focus() },
    },
  ]);
  return (
    <>
      <h2 class="question">Approve this plan?</h2>
      <div class="decision-bar" ref={reply}>
        <ReplyForm
          label="What should change?"
          says="Request changes"
          rows={1}
          draft={{ job: props.job.id, field: 'changes' }}
          send={(text) =>
            props.command('Changes requested.', (client) =>
              client.message(props.job.id, { message: text }),
            )
          }
        />
        <CommandRow>
          <button type="button" class="primary" disabled={planHash() === null} onClick={ask}>
            <Icon name="check" /> Approve
          </button>
        </CommandRow>
      </div>
      <PlanView
        job={props.job}
        artefactId={props.approval.artefactId}
        onSeen={(isThere) => setPlanHash(isThere ? props.approval.shown : null)}
      />
      <ApprovalScope job={props.job} approval={props.approval} />
      <OpenChanges job={props.job} />
      <Show when={hashToApprove()} keyed>
        {(shownPlan) => (
          <AskDialog
            title={`Approve phase ${props.approval.phase}?`}
            says="Approve"
            close={() => setHashToApprove(null)}
            send={() => approve(shownPlan)}
          >
            <ApprovalFacts {...props} shown={shownPlan} />
          </AskDialog>
        )}
      </Show>
    </>
  );
}

function ApprovalFacts(props: AskProps & { approval: Approval; shown: string }) {
  const covers = () => props.approval.covers;
  const plan = () => props.job.artefacts.find(({ id }) => id === props.approval.artefactId);
  return (
    <>
      <dl class="facts">
        <dt>Job</dt>
        <dd>
          <bdi>{formatJobTitle(props.job)}</bdi>
        </dd>
        <Show when={props.job.repoSlug}>
          {(repo) => (
            <>
              <dt>Repository</dt>
              <dd>
                <bdi>{repo()}</bdi>
              </dd>
            </>
          )}
        </Show>
        <dt>Plan</dt>
        <dd>
          <bdi>{plan()?.title ?? 'No plan was posted'}</bdi>{' '}
          <code title={props.shown}>{props.shown.slice(0, 12)}</code>
        </dd>
        <Show when={covers().workItems.length > 0}>
          <dt>Work items</dt>
          <dd>{covers().workItems.length}</dd>
        </Show>
        <Show when={covers().subRuns.length > 0}>
          <dt>Sub-runs</dt>
          <dd>{covers().subRuns.length}</dd>
        </Show>
        <dt>Then</dt>
        <dd>{describeApprovalOutcome(props.job, props.approval)}</dd>
      </dl>
      <p class="muted">This cannot be undone. The job continues immediately.</p>
    </>
  );
}
