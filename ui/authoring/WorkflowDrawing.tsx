import { type ComponentProps, Show } from 'solid-js';
import type { Machine } from '../../src/contract/schema/workflow/machine.ts';
import { ChartView } from '../chart/ChartView.tsx';
import { OlderResult } from '../shell/problems/OlderResult.tsx';

export function WorkflowDrawing(props: {
  machine: Machine | undefined;
  isOld: boolean;
  /** What an out-of-date drawing was made from. */
  of: string;
  state: readonly string[];
  trail: ComponentProps<typeof ChartView>['trail'];
  /** Plays a step that takes an arrow of the chart. */
  simulate: (step: string) => void;
}) {
  return (
    <section class="drawing" aria-label="Chart">
      <Show
        when={props.machine}
        fallback={<p class="muted">The chart appears once a phase can be read.</p>}
      >
        {(machine) => (
          <OlderResult isOld={props.isOld} of={props.of}>
            <ChartView
              machine={machine()}
              state={props.state}
              trail={props.trail}
              simulate={props.isOld ? undefined : props.simulate}
            />
          </OlderResult>
        )}
      </Show>
    </section>
  );
}
