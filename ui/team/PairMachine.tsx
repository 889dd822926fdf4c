import { createSignal, Show } from 'solid-js';
import type { PairingCode } from '../../src/contract/schema/cloud/teamRunner.ts';
import { formatCount } from '../../src/base/text/formatCount.ts';
import { formatTimeOfDay } from '../jobs/jobText.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { CopyLine } from './CopyLine.tsx';
import { parseLabels } from './dispatchText.ts';
import type { TeamParts } from './teamParts.ts';

/** A code that pairs one machine, with the command to run there. */
export function PairMachine(props: TeamParts & { isAdmin: boolean }) {
  const { run } = useDashboard();
  const [pool, setPool] = createSignal(false);
  const [labels, setLabels] = createSignal('');
  const [pairingCode, setPairingCode] = createSignal<PairingCode | null>(null);
  const [busy, setBusy] = createSignal(false);
  const create = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    const labelNames = parseLabels(labels());
    await run('The code is ready.', async () => {
      setPairingCode(
        await props.api.send<PairingCode>('POST', 'pairing-codes', {
          ...(pool() ? { pool: true } : {}),
          ...(labelNames.length === 0 ? {} : { labels: labelNames }),
        }),
      );
    });
    setBusy(false);
  };
  return (
    <section class="section stack" aria-labelledby="pair">
      <h2 id="pair">Pair a machine</h2>
      <p class="muted">
        A machine with svc joins the team with one command. Its runner takes jobs once it is started
        with <code>svc start</code>.
      </p>
      <form class="stack" onSubmit={(event) => void create(event)}>
        <Show when={props.isAdmin}>
          <label class="row">
            <input
              type="checkbox"
              checked={pool()}
              onChange={({ currentTarget }) => setPool(currentTarget.checked)}
            />
            For the whole team: it belongs to no one, and takes everyone’s jobs
          </label>
        </Show>
        <label class="field">
          Labels, such as linux or gpu (optional)
          <input
            autocomplete="off"
            spellcheck={false}
            value={labels()}
            onInput={({ currentTarget }) => setLabels(currentTarget.value)}
          />
        </label>
        <div class="row">
          <button type="submit" class="primary" disabled={busy()}>
            <Icon name="plus" /> Create a pairing code
          </button>
        </div>
      </form>
      <Show when={pairingCode()}>
        {(code) => (
          <div class="notice stack" role="status">
            <p>
              Run this on the machine before {formatTimeOfDay(code().expiresAt)}. It works once.
            </p>
            <CopyLine text={code().command} label="Copy the command that pairs a machine" />
            <Show when={code().labels.length > 0}>
              <p class="muted">
                It gets {formatCount(code().labels.length, 'label', 'labels')}:{' '}
                {code().labels.join(', ')}.
              </p>
            </Show>
          </div>
        )}
      </Show>
    </section>
  );
}
