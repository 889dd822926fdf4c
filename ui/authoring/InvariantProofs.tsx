import { For, Show } from 'solid-js';
import type { InvariantProof } from '../../src/contract/schema/workflow/invariantProof.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { isBrokenInvariant, describeProofResult } from './describeProofResult.ts';

export function InvariantProofs(props: {
  proofs: readonly InvariantProof[];
  /** Id of the invariant whose way is drawn in the chart; null = none. */
  drawn: string | null;
  draw: (id: string | null) => void;
  /** Plays a script in the simulator below. */
  play: (script: string) => void;
}) {
  return (
    <section class="proofs" aria-label="Invariants">
      <h3>Invariants</h3>
      <ul class="plain">
        <For each={props.proofs}>
          {(proof) => (
            <li class="proof" classList={{ bad: isBrokenInvariant(proof) }}>
              <p>
                <Icon name={isBrokenInvariant(proof) ? 'warn' : 'check'} />{' '}
                <strong>{proof.invariant}</strong> <code>{proof.rule}</code>
                <Show when={proof.from}>
                  {(from) => <span class="pill literal">{from()}</span>}
                </Show>
              </p>
              <p class="proof-result">{describeProofResult(proof)}</p>
              <Show when={isBrokenInvariant(proof)}>
                <ol>
                  <For each={proof.steps}>{(step) => <li>{step}</li>}</For>
                </ol>
                <div class="row">
                  <button
                    type="button"
                    aria-pressed={props.drawn === proof.invariant}
                    onClick={() =>
                      props.draw(props.drawn === proof.invariant ? null : proof.invariant)
                    }
                  >
                    <Icon name="graph" /> Show in the chart
                  </button>
                  <Show when={proof.script}>
                    {(script) => (
                      <button type="button" onClick={() => props.play(script())}>
                        <Icon name="play" /> Play
                      </button>
                    )}
                  </Show>
                </div>
              </Show>
            </li>
          )}
        </For>
      </ul>
    </section>
  );
}
