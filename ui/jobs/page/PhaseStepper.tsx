import { createMemo, For, Show } from 'solid-js';
import { Icon } from '../../shell/controls/Icon.tsx';
import { useStore } from '../../shell/useStore.ts';
import { listPhaseSteps, type PhaseStep } from './describeJobNow.ts';
import { useJob } from './jobView.ts';

const SAYS: Readonly<Record<PhaseStep['state'], string>> = {
  done: 'done',
  current: 'current',
  open: 'not yet',
};

/** The phases of the job's workflow, and where it is. */
export function PhaseStepper() {
  const { store, job } = useJob();
  const phases = useStore(store, (context) => context.timeline?.phases);
  const steps = createMemo(() => listPhaseSteps(phases() ?? [], job()));
  return (
    <Show when={steps().length > 1}>
      <ol class="stepper plain" aria-label="Phases of the workflow">
        <For each={steps()}>
          {({ phase, state }) => (
            <li class={state} aria-current={state === 'current' ? 'step' : undefined}>
              <Icon name={state === 'done' ? 'check' : 'dot'} />
              <bdi>{phase}</bdi>
              <span class="spoken">, {SAYS[state]}</span>
            </li>
          )}
        </For>
      </ol>
    </Show>
  );
}
