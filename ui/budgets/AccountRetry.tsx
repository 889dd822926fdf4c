import { createSignal } from 'solid-js';
import type { Pool } from '../../src/contract/schema/policy/pool.ts';
import { AWAY } from '../shell/controls/CommandRow.tsx';
import { IfOffered } from '../shell/controls/IfOffered.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { useStore } from '../shell/useStore.ts';
import { readLimits } from './followLimits.ts';
import { formatAccountName } from './accountText.ts';

export function AccountRetry(props: { account: Pick<Pool, 'id' | 'origin' | 'account'> }) {
  const { client, limits, run, shell } = useDashboard();
  const isLost = useStore(shell, (context) => context.lostSince !== null);
  const [busy, setBusy] = createSignal(false);
  const send = async () => {
    setBusy(true);
    await run(`${formatAccountName(props.account)} is tried again.`, (to) =>
      to.retryAccount({ pool: props.account.id }),
    );
    await readLimits({ client, limits });
    setBusy(false);
  };
  return (
    <IfOffered to="retryAccount">
      <button
        type="button"
        disabled={busy() || isLost()}
        title={isLost() ? AWAY : 'One job is resumed to test whether the account accepts requests.'}
        aria-label={`Try now: ${formatAccountName(props.account)}`}
        onClick={() => void send()}
      >
        Try now
      </button>
    </IfOffered>
  );
}
