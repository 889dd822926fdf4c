import { createSignal, For, Show } from 'solid-js';
import type { TrackRecord } from '../../src/contract/schema/policy/trackRecord.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { FlagProgress } from './FlagProgress.tsx';

type Mode = TrackRecord['mode'];

const MODES: readonly { mode: Mode; says: string; does: string }[] = [
  { mode: 'off', says: 'Off', does: 'No phase is rated.' },
  { mode: 'shadow', says: 'Observe', does: 'Phases are rated; jobs continue.' },
  { mode: 'live', says: 'Manage', does: 'A flag may also pause an interactive job.' },
];

/** Asks before Manage: shows what is missing, and then asks once more where something is. */
export function ModeSwitch(props: { record: TrackRecord; onChanged: () => void }) {
  const { run } = useDashboard();
  const [asks, setAsks] = createSignal<'no' | 'first' | 'again'>('no');
  const [busy, setBusy] = createSignal(false);
  const isProven = () => props.record.missing.length === 0;
  const change = async (mode: Mode, says: string) => {
    setBusy(true);
    const wasTaken = await run(says, (client) => client.updateConfig({ decision: { mode } }));
    setBusy(false);
    if (!wasTaken) return;
    setAsks('no');
    props.onChanged();
  };
  const choose = (mode: Mode) => {
    if (mode === props.record.mode) return setAsks('no');
    if (mode === 'live') return setAsks('first');
    setAsks('no');
    void change(mode, mode === 'off' ? 'Ratings are off.' : 'Phases are rated.');
  };
  const manage = () => {
    if (asks() === 'first' && !isProven()) setAsks('again');
    else void change('live', 'Flags may pause interactive jobs now.');
  };
  const now = () => MODES.find(({ mode }) => mode === props.record.mode);
  return (
    <section class="section" aria-labelledby="mode">
      <h2 id="mode">Mode</h2>
      <fieldset class="periods">
        <legend class="visually-hidden">Mode</legend>
        <For each={MODES}>
          {({ mode, says, does }) => (
            <button
              type="button"
              title={does}
              aria-pressed={mode === props.record.mode}
              disabled={busy()}
              onClick={() => choose(mode)}
            >
              {says}
            </button>
          )}
        </For>
      </fieldset>
      <p>
        {now()?.does} Decider: <bdi>{props.record.provider}</bdi>, model{' '}
        <bdi>{props.record.model}</bdi>.
      </p>
      <Show
        when={isProven()}
        fallback={
          <div class="missing">
            <FlagProgress record={props.record} />
            <p>To be proven, it still needs:</p>
            <ul>
              <For each={props.record.missing}>{(text) => <li>{text}</li>}</For>
            </ul>
          </div>
        }
      >
        <p>It is proven.</p>
      </Show>
      <Show when={asks() !== 'no'}>
        <div class="notice" role="alert">
          <p>
            {asks() === 'again'
              ? 'The accuracy of its flags is not proven. They will still pause interactive jobs until a person continues them.'
              : 'In Manage, a flag pauses an interactive job until a person continues it.'}
          </p>
          <div class="row">
            <button type="button" class="danger" disabled={busy()} onClick={manage}>
              {asks() === 'again' ? 'Yes, pause jobs for unproven flags' : 'Switch to Manage'}
            </button>
            <button type="button" disabled={busy()} onClick={() => setAsks('no')}>
              Cancel
            </button>
          </div>
        </div>
      </Show>
    </section>
  );
}
