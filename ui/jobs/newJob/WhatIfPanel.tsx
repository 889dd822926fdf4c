import { createMemo, createSignal, createUniqueId, For } from 'solid-js';
import { createEventDraft } from '../../chart/eventDraft.ts';
import { toPlainHeading } from '../../chart/picture/plainWords.ts';
import { WhatIf } from '../../chart/WhatIf.tsx';
import { useDashboard } from '../../shell/dashboard.ts';
import { useJob } from '../page/jobView.ts';

/** What one of several events would lead to: computed by the chart, nothing is done. */
export function WhatIfPanel(props: { events: readonly string[] }) {
  const { client } = useDashboard();
  const { job } = useJob();
  const id = createUniqueId();
  const [type, setType] = createSignal(props.events[0] ?? '');
  const facts = createMemo(() => ({ job: job().id, phase: job().phase, prs: job().prMappings }));
  return (
    <div class="stack">
      <h3>What if</h3>
      <div class="row">
        <label for={id}>Event</label>
        <select
          id={id}
          class="fit"
          value={type()}
          onChange={(event) => setType(event.currentTarget.value)}
        >
          <For each={props.events}>
            {(event) => (
              <option value={event} title={event}>
                {toPlainHeading(event)}
              </option>
            )}
          </For>
        </select>
      </div>
      <WhatIf
        draft={createEventDraft(type(), facts())}
        facts={facts()}
        stamp={String(job().journalLength)}
        ask={(event) => client.whatIf(job().id, event)}
      />
    </div>
  );
}
