import { createMemo, For, Show } from 'solid-js';
import { capitalizeFirst } from '../../src/base/text/capitalizeFirst.ts';
import { createReading } from '../shell/signals/createReading.ts';
import type { Machine } from '../../src/contract/schema/workflow/machine.ts';
import { ChartView } from '../chart/ChartView.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { toRouteHash } from '../shell/navigation/router.ts';
import './machines.css';

/** All charts. `rest`: the chart's id after `#/machines/`; none = the first. */
export function MachinesPage(props: { rest: readonly string[] }) {
  const { client } = useDashboard();
  const [machines, { refetch }] = createReading(() => client.machines());
  const chosenMachine = createMemo(() => {
    const all = (machines.error ? undefined : machines()) ?? [];
    return props.rest[0] === undefined ? all[0] : all.find(({ chart }) => chart === props.rest[0]);
  });
  return (
    <div class="page machines-page">
      <h1>System charts</h1>
      <ReadingView reading={machines} retry={() => void refetch()}>
        <div class="machines">
          <nav class="machine-list" aria-label="Charts">
            <MachineLinks
              title="Parts of svc"
              list={(machines() ?? []).filter(({ kind }) => kind === 'actor')}
              chosen={chosenMachine()}
            />
            <MachineLinks
              title="Workflows"
              list={(machines() ?? []).filter(({ kind }) => kind === 'workflow')}
              chosen={chosenMachine()}
            />
          </nav>
          <Show
            when={chosenMachine()}
            fallback={
              <p class="muted">
                {machines()
                  ? `Chart ${props.rest[0]} not found. Choose one from the list.`
                  : 'Loading …'}
              </p>
            }
          >
            {(machine) => <ChartView machine={machine()} />}
          </Show>
        </div>
      </ReadingView>
    </div>
  );
}

/** The id of a chart of the system as a name: `subRuns` → `Sub-runs`. */
const toPlainChartName = (id: string): string =>
  capitalizeFirst(id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));

function MachineLinks(props: {
  title: string;
  list: readonly Machine[];
  chosen: Machine | undefined;
}) {
  return (
    <Show when={props.list.length > 0}>
      <h2>{props.title}</h2>
      <ul class="plain">
        <For each={props.list}>
          {({ chart, label, kind }) => (
            <li>
              <a
                href={toRouteHash(['machines', chart])}
                aria-current={props.chosen?.chart === chart ? 'page' : undefined}
              >
                {kind === 'actor' ? toPlainChartName(label) : label}
              </a>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}
