import { createEffect, createSignal, on, onCleanup, Show, onMount } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import type {
  InvestigationSummary,
  ModelChoice,
} from '../../src/contract/schema/planning/intake.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { usePageKeys } from '../shell/keys/pageKeys.ts';
import { Problem } from '../shell/problems/Problem.tsx';
import { toRouteHash } from '../shell/navigation/router.ts';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import { useStore } from '../shell/useStore.ts';
import { Composer } from './Composer.tsx';
import { createConversation } from './conversation.ts';
import { FindingsCard } from './findings/FindingsCard.tsx';
import { Questions } from './findings/Questions.tsx';
import { History } from './History.tsx';
import { PinnedFile } from './PinnedFile.tsx';
import { PlanHead } from './PlanHead.tsx';
import { PlanProvider, type PlanView } from './planContext.ts';
import { buildRequestContext } from './buildRequestContext.ts';
import { readRunSources } from './run/readRunSources.ts';
import { RunForm } from './run/RunForm.tsx';
import { toPlanDraftOwner } from './sessionIds.ts';
import { Transcript } from './TurnView.tsx';
import { useCitations } from './useCitations.ts';
import { createCitationVerdicts } from './createCitationVerdicts.ts';

/** How far from the end still counts as the end, px. */
const NEAR = 40;

/**
 * Keeps the end of a growing text in sight for those who read there; who has scrolled up is left
 * alone. `of`: what scrolls, with one element that grows. Answers how to go to the end.
 */
function stayAtEnd(of: () => HTMLElement | undefined): () => void {
  let atEnd = true;
  const go = () => {
    const place = of();
    place?.scrollTo({ top: place.scrollHeight });
  };
  onMount(() => {
    const place = of();
    if (!place) return;
    const look = () => {
      atEnd = place.scrollHeight - place.scrollTop - place.clientHeight < NEAR;
    };
    const observer = new ResizeObserver(() => atEnd && go());
    for (const child of place.children) observer.observe(child);
    place.addEventListener('scroll', look, { passive: true });
    onCleanup(() => {
      observer.disconnect();
      place.removeEventListener('scroll', look);
    });
  });
  return () => {
    atEnd = true;
    requestAnimationFrame(go);
  };
}

interface OpenPlanProps {
  sessionId: string;
  isNew: boolean;
  /** Begins a new conversation where the address stays the same. */
  onAgain: () => void;
}

export function OpenPlan(props: OpenPlanProps) {
  const { client, connection, shell, run } = useDashboard();
  const { sessionId } = props;
  const stop = new AbortController();
  onCleanup(() => stop.abort());
  const conversation = createConversation({
    client,
    connection,
    sessionId,
    signal: stop.signal,
    runBeforeDrawing: (draw) => void requestAnimationFrame(draw),
  });
  const { shown } = conversation;
  const investigation = () => shown.investigation;
  const reconnects = useStore(shell, (context) => context.healed);
  const [chosenModel, setChosenModel] = createSignal<ModelChoice | null>(null);
  const model = () => chosenModel() ?? investigation()?.model ?? { provider: null, model: null };
  const [sources, { refetch: readSources }] = createReading(() => readRunSources(client));

  if (!props.isNew) void conversation.start();
  createEffect(on(reconnects, () => void conversation.look(), { defer: true }));

  const say = async (message: string): Promise<boolean> => {
    const { provider, model: name } = model();
    try {
      await conversation.ask({
        message,
        context: buildRequestContext(sources.latest, navigator.language),
        ...(provider === null ? {} : { provider }),
        ...(name === null ? {} : { model: name }),
        ...(conversation.isRunning() ? { queue: true } : {}),
      });
    } catch (error) {
      if (!connection.report(error)) shell.trigger.failed({ text: 'Not sent', error });
      return false;
    }
    if (props.isNew) location.replace(toRouteHash(['plan', sessionId]));
    toEnd();
    return true;
  };
  const act = async (says: string, send: () => Promise<unknown>): Promise<boolean> => {
    const wasTaken = await run(says, send);
    await conversation.look();
    return wasTaken;
  };
  const choose = (next: ModelChoice) => {
    setChosenModel(next);
    // One that is not stored yet gets it with its first message.
    if (investigation())
      void act('Model chosen for this chat.', () =>
        client.saveInvestigation(sessionId, { model: next }),
      );
  };

  const verdicts = createCitationVerdicts(client, conversation);
  const citations = useCitations(conversation, verdicts);
  usePageKeys(() => [{ keys: ['n'], says: 'New chat', does: { do: fresh } }]);
  const fresh = () => {
    if (location.hash === '#/plan') props.onAgain();
    else location.hash = '#/plan';
  };

  let transcript: HTMLElement | undefined;
  const toEnd = stayAtEnd(() => transcript);

  const noteSummary = (summary: InvestigationSummary | null) => {
    if (conversation.isRunning()) return;
    // Another page has said or changed something, or removed it.
    if (summary === null) {
      if (investigation() !== null) void conversation.look();
    } else if (summary.running || investigation()?.updatedAt !== summary.updatedAt)
      void conversation.look();
  };
  /** The conversation was stored at this address, or the address claims it. */
  const [wasStored, setWasStored] = createSignal(!props.isNew);
  createEffect(() => investigation() !== null && setWasStored(true));
  const isGone = () =>
    wasStored() && shown.loaded && investigation() === null && shown.problem === null;
  const writing = () => shown.turns.at(-1)?.writing ?? null;
  const questions = () => {
    const status = investigation()?.status;
    return conversation.isRunning() ? [] : (status?.openQuestions ?? []);
  };
  const view: PlanView = {
    conversation,
    investigation,
    say,
    act,
  };

  return (
    <PlanProvider value={view}>
      <div class="page plan-page" ref={citations.place}>
        <PlanHead fresh={fresh} />
        <div class="plan-columns">
          <History
            openId={sessionId}
            version={`${shown.turns.length} ${conversation.isRunning()} ${investigation()?.readiness}`}
            onSeen={noteSummary}
          />
          <div class="plan-talk">
            <Show when={citations.openRef()}>
              {(ref) => (
                <PinnedFile
                  citedRef={ref()}
                  citation={verdicts().get(ref())}
                  at={citations.at()}
                  move={citations.move}
                  close={citations.close}
                />
              )}
            </Show>
            <section class="transcript" ref={transcript} tabindex="0" aria-label="Conversation">
              <div class="turns">
                <Show when={shown.problem}>
                  {(error) => <Problem error={error()} retry={() => void conversation.look()} />}
                </Show>
                <Show when={shown.loaded || props.isNew} fallback={<p class="muted">Loading …</p>}>
                  <Show when={shown.turns.length === 0 && !shown.problem}>
                    <div class="plan-intro">
                      <h2>What should be done?</h2>
                      <p class="muted">
                        Describe a task or ask about the code. The model reads the repository and
                        its tickets and cannot change anything. Its findings appear beside the chat;
                        dispatch a job from them when you are ready.
                      </p>
                    </div>
                  </Show>
                </Show>
                <Show when={isGone()}>
                  <p class="notice-line" role="status">
                    <Icon name="warn" /> Chat not found; it may have been removed. Your next message
                    starts a new chat.
                  </p>
                </Show>
                <Show when={shown.reattached}>
                  <p class="notice-line" role="status">
                    <Icon name="clock" /> This answer is still being written; it continues below.
                  </p>
                </Show>
                <Transcript turns={shown.turns} />
                <Show when={shown.crowded}>
                  <p class="notice-line" role="status">
                    <Icon name="warn" /> The answer is paused here: this browser shows jobs and
                    chats in too many windows.
                  </p>
                </Show>
              </div>
            </section>
            <Composer
              draftKey={toPlanDraftOwner(props.isNew ? null : sessionId)}
              isFirst={shown.turns.length === 0}
              model={model()}
              choose={choose}
            />
          </div>
          <aside class="plan-side" aria-label="Findings and run">
            <Show when={questions().length > 0}>
              <Questions questions={questions()} />
            </Show>
            <FindingsCard stored={investigation()?.findings ?? null} writing={writing()} />
            <Show when={investigation()?.status?.note}>
              {(note) => (
                <p class="muted plan-note" dir="auto">
                  {revealTurningCharacters(note())}
                </p>
              )}
            </Show>
            <RunForm reading={sources} retry={() => void readSources()} />
          </aside>
        </div>
      </div>
    </PlanProvider>
  );
}
