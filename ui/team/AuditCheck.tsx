import { createSignal, Show } from 'solid-js';
import type { TeamAuditCheck } from '../../src/contract/schema/cloud/audit.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { createReading } from '../shell/signals/createReading.ts';
import { describeAuditCheck } from './auditCheckText.ts';
import { CopyLine } from './CopyLine.tsx';
import type { TeamApi } from './teamApi.ts';

/** Has the control plane check the chain of hashes, and shows the result. */
export function AuditCheck(props: { api: TeamApi }) {
  const [isAsked, setIsAsked] = createSignal(false);
  const [reading, { refetch }] = createReading(isAsked, () =>
    props.api.get<TeamAuditCheck>('audit/check'),
  );
  const check = () => (isAsked() ? void refetch() : setIsAsked(true));
  return (
    <div class="stack">
      <p class="row">
        <button type="button" disabled={reading.loading} onClick={check}>
          <Icon name="shield" /> {reading.loading ? 'Checking …' : 'Check the log'}
        </button>
        <small>
          Computes the hash of each entry. <code>svc cloud audit verify</code> does so on your
          machine.
        </small>
      </p>
      <ReadingView reading={reading} retry={() => void refetch()}>
        <div role="status" class="stack">
          <Show when={reading.latest}>
            {(result) => (
              <>
                <p class="row">
                  <span class="pill" classList={{ [describeAuditCheck(result()).tone]: true }}>
                    <Icon name={result().fault === null ? 'check' : 'warn'} />
                    {describeAuditCheck(result()).title}
                  </span>
                  <span>{describeAuditCheck(result()).says}</span>
                </p>
                <Show when={result().fault === null && result().checked > 0}>
                  <p class="muted">
                    Hash of entry {result().head.n}. Keep it elsewhere: in a log that was rewritten,
                    this entry has another hash.
                  </p>
                  <CopyLine text={result().head.hash} label="Copy the hash of the newest entry" />
                </Show>
              </>
            )}
          </Show>
        </div>
      </ReadingView>
    </div>
  );
}
