import { Show } from 'solid-js';

export function ChartLegend(props: { live: boolean; workflow: boolean }) {
  return (
    <details class="chart-legend">
      <summary>Legend</summary>
      <ul>
        <li>an arrow says what triggers the transition and on which condition</li>
        <li>
          with technical terms: <code class="event">event</code> <code class="guard">[guard]</code>{' '}
          <code class="effect">/ effect</code>
        </li>
        <li>a transition without an event is taken as soon as its condition is true</li>
        <li>
          a dotted line groups several transitions, which are listed in the states that they leave
        </li>
        <Show when={props.workflow}>
          <li>
            a dashed line: the agent's instructions send it there with{' '}
            <code class="event">goto_phase</code>; the agent itself may go to any phase
          </li>
        </Show>
        <Show when={props.live}>
          <li>
            filled: the current state; blue transitions are possible now, those with a dashed edge
            depend on the event
          </li>
        </Show>
        <Show when={props.workflow}>
          <li>
            amber: the phases of a loop in which nothing has changed, or the way to where an
            invariant is broken
          </li>
        </Show>
        <Show when={props.workflow}>
          <li>
            <i>flagged</i>, with a red edge: by its newest rating the phase is off track, or a
            requirement looks unmet
          </li>
        </Show>
        <li>
          keys: arrows move between boxes, Enter opens, Escape closes, + − zoom, 0 shows all, .
          zooms to the selection
        </li>
      </ul>
    </details>
  );
}
