import { createMemo, For, Show } from 'solid-js';
import type { PhaseUsage } from '../../../src/contract/schema/session/sessionRecords.ts';
import { formatShortCount } from '../jobText.ts';
import { describeUnreported } from '../../../src/base/spending/tokenText.ts';

/** Tokens of a phase over all its visits. */
interface PhaseTokens {
  phase: string;
  /** Read from the cache, read without it, written. */
  cached: number;
  input: number;
  output: number;
  total: number;
}

/** Sums of each phase, in the order in which they were first visited. */
export function sumPhaseTokens(usage: readonly PhaseUsage[]): PhaseTokens[] {
  const phases = new Map<string, PhaseTokens>();
  for (const { phase, usage: tokens } of usage) {
    const sum = phases.get(phase) ?? { phase, cached: 0, input: 0, output: 0, total: 0 };
    // What came from the cache is part of the input.
    const cachedTokens = Math.min(tokens.cachedInputTokens, tokens.inputTokens);
    sum.cached += cachedTokens;
    sum.input += tokens.inputTokens - cachedTokens;
    sum.output += tokens.outputTokens;
    sum.total += tokens.inputTokens + tokens.outputTokens;
    phases.set(phase, sum);
  }
  return [...phases.values()];
}

const PARTS = [
  ['cached', 'from the cache'],
  ['input', 'read'],
  ['output', 'written'],
] as const satisfies readonly (readonly [keyof PhaseTokens, string])[];

/** Width of the longest bar in the drawing's own units. */
const WIDTH = 100;

/** Tokens of each phase: a bar of three parts, with the numbers in words. */
export function TokensChart(props: { usage: readonly PhaseUsage[]; unreported: number }) {
  const phases = createMemo(() => sumPhaseTokens(props.usage));
  const most = () => Math.max(1, ...phases().map(({ total }) => total));
  const total = () => phases().reduce((sum, phase) => sum + phase.total, 0);
  const parts = (phase: PhaseTokens) => {
    let x = 0;
    return PARTS.map(([name]) => {
      const width = (phase[name] / most()) * WIDTH;
      const part = { name, x, width };
      x += width;
      return part;
    });
  };
  return (
    <section class="section tokens">
      <div class="section-head">
        <h2>Tokens</h2>
        <Show when={total() > 0}>
          <small>{formatShortCount(total())} in total</small>
        </Show>
      </div>
      <Show when={describeUnreported(props)}>{(text) => <p class="muted">{text()}</p>}</Show>
      <Show when={phases().length > 0}>
        <ul class="plain stack">
          <For each={phases()}>
            {(phase) => (
              <li>
                <div class="row">
                  <span class="grow">{phase.phase}</span>
                  <small>
                    {PARTS.map(([name, says]) => `${formatShortCount(phase[name])} ${says}`).join(
                      ', ',
                    )}
                  </small>
                </div>
                <svg viewBox={`0 0 ${WIDTH} 6`} preserveAspectRatio="none" aria-hidden="true">
                  <For each={parts(phase)}>
                    {({ name, x, width }) => (
                      <rect class={name} x={x} y="0" width={width} height="6" />
                    )}
                  </For>
                </svg>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </section>
  );
}
