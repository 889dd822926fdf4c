import { createSignal, createUniqueId, Index, Show } from 'solid-js';
import { createDraft, type Draft } from '../../shell/drafts/drafts.ts';
import { Icon } from '../../shell/controls/Icon.tsx';
import { revealTurningCharacters } from '../../shell/markdown/revealTurningCharacters.ts';
import { usePlan } from '../planContext.ts';
import { toPlanDraftOwner } from '../sessionIds.ts';

/** One message with all answers, each below its question; empty where nothing is answered. */
export const formatAnswers = (answers: readonly { question: string; answer: string }[]): string =>
  answers
    .filter(({ answer }) => answer.trim() !== '')
    .map(({ question, answer }) => `> ${question.replaceAll('\n', '\n> ')}\n\n${answer.trim()}`)
    .join('\n\n');

/** What only the developer can decide: a field for each question, and one message for all answers. */
export function Questions(props: { questions: readonly string[] }) {
  const { conversation, say } = usePlan();
  const [busy, setBusy] = createSignal(false);
  const drafts = new Map<string, Draft>();
  const collectAnswers = () =>
    props.questions.map((question) => ({ question, answer: drafts.get(question)?.text() ?? '' }));
  const message = () => formatAnswers(collectAnswers());
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    if (message() === '') return;
    setBusy(true);
    const sentQuestions = [...props.questions];
    if (await say(message())) for (const question of sentQuestions) drafts.get(question)?.forget();
    setBusy(false);
  };
  return (
    <form class="questions stack" aria-labelledby="questions-title" onSubmit={send}>
      <h2 id="questions-title">Open questions</h2>
      <Index each={props.questions}>
        {(question) => (
          <Show when={question()} keyed>
            {(text) => {
              const draft = createDraft({
                job: toPlanDraftOwner(conversation.sessionId),
                field: text,
              });
              drafts.set(text, draft);
              return <Answer question={text} draft={draft} />;
            }}
          </Show>
        )}
      </Index>
      <button type="submit" class="self-start" disabled={busy() || message() === ''}>
        <Icon name="send" /> Answer all
      </button>
    </form>
  );
}

function Answer(props: { question: string; draft: Draft }) {
  const id = createUniqueId();
  return (
    <div class="field">
      <label for={id} dir="auto">
        {revealTurningCharacters(props.question)}
      </label>
      <textarea
        id={id}
        dir="auto"
        rows="1"
        value={props.draft.text()}
        onInput={(event) => props.draft.write(event.currentTarget.value)}
      />
    </div>
  );
}
