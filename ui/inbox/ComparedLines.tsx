import { For, Show } from 'solid-js';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import type { ComparedPart } from './compareLines.ts';
import './plan.css';

/** What differs between two texts, line by line; null where too much does. */
export function ComparedLines(props: { parts: readonly ComparedPart[] | null }) {
  return (
    <div class="plan-diff" dir="auto">
      <For each={props.parts ?? []}>
        {(part) =>
          part.kind === 'left out' ? (
            <p class="muted">{part.lines} unchanged lines</p>
          ) : (
            <ComparedText kind={part.kind} text={revealTurningCharacters(part.text)} />
          )
        }
      </For>
    </div>
  );
}

function ComparedText(props: { kind: 'same' | 'removed' | 'added'; text: string }) {
  return (
    <Show when={props.kind !== 'same'} fallback={<p class="same">{props.text || '\u00A0'}</p>}>
      <p class={props.kind}>
        {props.kind === 'added' ? (
          <ins>{props.text || '\u00A0'}</ins>
        ) : (
          <del>{props.text || '\u00A0'}</del>
        )}
      </p>
    </Show>
  );
}
