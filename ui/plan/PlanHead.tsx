import { createSignal, For, Show } from 'solid-js';
import { AskDialog } from '../shell/controls/AskDialog.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { JobLink } from '../jobs/JobLink.tsx';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import { usePlan } from './planContext.ts';
import { describeDrift, READINESS, describeChatSpending } from './planText.ts';

export function PlanHead(props: { fresh: () => void }) {
  const { client, run } = useDashboard();
  const { conversation, investigation, act } = usePlan();
  const [removes, setRemoves] = createSignal(false);
  const state = () => investigation()?.readiness ?? null;
  const drift = () => {
    const openInvestigation = investigation();
    return openInvestigation && describeDrift(openInvestigation);
  };
  const remove = async (): Promise<boolean> => {
    const isRemoved = await run('Chat removed.', () =>
      client.removeInvestigation(conversation.sessionId),
    );
    if (isRemoved) location.hash = '#/plan';
    return isRemoved;
  };
  return (
    <>
      <div class="page-head plan-head-line">
        <h1>
          <bdi>{revealTurningCharacters(investigation()?.title ?? 'Plan')}</bdi>
        </h1>
        <Show when={state()}>
          {(readiness) => (
            <span
              class="pill"
              classList={{
                good: readiness() === 'ready',
                working: readiness() === 'investigating',
              }}
            >
              {READINESS[readiness()]}
            </span>
          )}
        </Show>
        <Show when={investigation()}>
          {(read) => (
            <>
              <button
                type="button"
                class="quiet icon-only"
                aria-label="Remove this chat"
                title="Remove this chat"
                onClick={() => setRemoves(true)}
              >
                <Icon name="trash" />
              </button>
              <button type="button" title="New chat (n)" onClick={() => props.fresh()}>
                <Icon name="plus" /> New chat
              </button>
              <small class="plan-facts">
                <Show when={read().pinned}>
                  {(pin) => (
                    <span>
                      <bdi>{pin().repo}</bdi> at <code>{pin().commit.slice(0, 10)}</code> of{' '}
                      <bdi>{pin().ref}</bdi>
                    </span>
                  )}
                </Show>
                <span>
                  {conversation.isRunning()
                    ? 'Answering; what it uses is counted when the turn ends'
                    : describeChatSpending(read().counters)}
                </span>
                <For each={read().jobIds}>
                  {(jobId) => (
                    <span>
                      Job <JobLink jobId={jobId} />
                    </span>
                  )}
                </For>
              </small>
            </>
          )}
        </Show>
      </div>
      <Show when={drift()}>
        {(text) => (
          <div class="notice row drift" role="status">
            <Icon name="warn" />
            <span class="grow">{text()}</span>
            <button
              type="button"
              onClick={() =>
                void act('This chat looks at the newest commit now.', () =>
                  client.pinNewest(conversation.sessionId),
                )
              }
            >
              Look at the newest commit
            </button>
          </div>
        )}
      </Show>
      <Show when={removes()}>
        <AskDialog
          title="Remove this chat?"
          says="Remove"
          danger
          close={() => setRemoves(false)}
          send={remove}
        >
          <p>
            Removes the conversation, its look-ups and its findings. Jobs dispatched from it are
            kept.
          </p>
        </AskDialog>
      </Show>
    </>
  );
}
