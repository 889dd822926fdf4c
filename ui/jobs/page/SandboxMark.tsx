import { createMemo, Show } from 'solid-js';
import { SANDBOX_TEXT } from '../../../src/shared/agents/sandboxProfiles.ts';
import { Icon } from '../../shell/controls/Icon.tsx';
import { useJob } from './jobView.ts';

/** What confines the newest session, with a lock; nothing where no sandbox is wanted. */
export function SandboxMark() {
  const { job } = useJob();
  const newest = createMemo(() => job().sandboxes?.at(-1) ?? null);
  return (
    <Show when={newest()}>
      {(found) => (
        <span
          class="sandbox"
          title={`Session ${found().visit}.${found().session}: ${found().reason ?? SANDBOX_TEXT[found().state]}`}
        >
          <Icon name={found().state === 'none' ? 'unlocked' : 'lock'} />
          {found().state === 'none' ? 'no sandbox' : `sandbox: ${found().state}`}
        </span>
      )}
    </Show>
  );
}
