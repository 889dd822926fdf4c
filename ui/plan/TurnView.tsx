import { createMemo, For, Index, Match, Show, Switch } from 'solid-js';
import { Icon } from '../shell/controls/Icon.tsx';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import { GrowingMarkdown } from './answer/GrowingMarkdown.tsx';
import { LookupLine } from './LookupLine.tsx';
import { usePlan } from './planContext.ts';
import { describeLookupProgress, type ShownTurn, type TurnPart } from './turnParts.ts';

/**
 * Whether the message of a turn can be asked again by a click: it was not answered to its end, and
 * no later message is the same. One that a person has stopped only as long as it is the last.
 */
function canAskAgain(turns: readonly ShownTurn[], index: number): boolean {
  const turn = turns[index];
  if (!turn) return false;
  const later = turns.slice(index + 1);
  if (turn.state === 'interrupted') return later.length === 0;
  if (turn.state !== 'lost' && turn.state !== 'failed') return false;
  return later.every(({ message }) => message !== turn.message);
}

const ENDINGS: Readonly<Partial<Record<ShownTurn['state'], string>>> = {
  interrupted: 'You stopped this answer. The answer so far is kept.',
  lost: 'The runner stopped while this answer was written. The answer so far is kept.',
  queued: 'This message is sent after the current answer.',
};

export function TurnView(props: { turn: ShownTurn; canAskAgain: boolean }) {
  const { say } = usePlan();
  const isRunning = () => props.turn.state === 'running';
  const rounds = createMemo(() => describeLookupProgress(props.turn));
  return (
    <article class="turn" aria-label={`Turn ${props.turn.n}`}>
      <div class="turn-message">
        <h2 class="visually-hidden">You</h2>
        <p dir="auto">{revealTurningCharacters(props.turn.message)}</p>
      </div>
      <div class="turn-answer" aria-busy={isRunning()}>
        <h2 class="visually-hidden">Answer</h2>
        <Index each={props.turn.parts}>
          {(part, index) => (
            <Part part={part()} over={!isRunning() || index < props.turn.parts.length - 1} />
          )}
        </Index>
        <Show when={isRunning()}>
          <p class="turn-now muted" role="status">
            <span class="working-dot" aria-hidden="true" />
            {props.turn.writing === null ? 'Working' : 'Writing the findings'}
            <Show when={rounds()}>: {rounds()}</Show>
          </p>
        </Show>
        <Show when={props.turn.state === 'failed'}>
          <p class="notice-line bad" role="alert">
            <Icon name="failed" />
            <span>
              The model could not answer:{' '}
              {revealTurningCharacters(props.turn.error ?? 'no reason is known')}
              {props.turn.reason === null ? '' : ` (${props.turn.reason})`}
            </span>
          </p>
        </Show>
        <Show when={ENDINGS[props.turn.state]}>
          {(ending) => (
            <p class="notice-line">
              <Icon name="warn" /> {ending()}
            </p>
          )}
        </Show>
        <Show when={props.canAskAgain}>
          <button type="button" class="self-start" onClick={() => void say(props.turn.message)}>
            <Icon name="redo" /> Ask again
          </button>
        </Show>
      </div>
    </article>
  );
}

function Part(props: { part: TurnPart; over: boolean }) {
  const readText = (kind: 'text' | 'thinking' | 'note') =>
    props.part.kind === kind ? props.part.text : undefined;
  return (
    <Switch>
      <Match when={readText('text')}>
        {(text) => <GrowingMarkdown text={text()} over={props.over} />}
      </Match>
      <Match when={readText('thinking')}>
        {(text) => (
          <details class="thinking">
            <summary>{props.over ? 'Thinking' : 'Thinking …'}</summary>
            <p dir="auto">{revealTurningCharacters(text())}</p>
          </details>
        )}
      </Match>
      <Match when={props.part.kind === 'lookup' && props.part.lookup}>
        {(lookup) => <LookupLine lookup={lookup()} />}
      </Match>
      <Match when={readText('note')}>
        {(text) => (
          <p class="notice-line">
            <Icon name="help" /> {revealTurningCharacters(text())}
          </p>
        )}
      </Match>
    </Switch>
  );
}

/** The conversation, oldest first. */
export function Transcript(props: { turns: readonly ShownTurn[] }) {
  return (
    <For each={props.turns}>
      {(turn, index) => <TurnView turn={turn} canAskAgain={canAskAgain(props.turns, index())} />}
    </For>
  );
}
