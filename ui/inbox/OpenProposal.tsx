import { Show } from 'solid-js';
import { ProposalDetail } from '../proposals/ProposalDetail.tsx';
import { createReading } from '../shell/signals/createReading.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { Problem } from '../shell/problems/Problem.tsx';
import { toInboxHash } from '../shell/navigation/router.ts';
import { runOnChange } from '../shell/signals/runOnChange.ts';
import { readProposals } from './readInbox.ts';
import type { ProposalItem } from './inboxItems.ts';
import '../proposals/proposals.css';

interface OpenProposalProps {
  /** Must not change while this is mounted. */
  proposalId: string;
  /** What it waits for; null = it does not wait. */
  item: ProposalItem | null;
  onNext: () => void;
}

export function OpenProposal(props: OpenProposalProps) {
  const { client, inbox } = useDashboard();
  const { proposalId } = props;
  const [reading, { refetch }] = createReading(() => client.proposal(proposalId));
  runOnChange(
    () => props.item?.key,
    () => void refetch(),
    { defer: true },
  );
  const onChange = async () => {
    await Promise.all([refetch(), readProposals(client, inbox)]);
    if (props.item === null) props.onNext();
  };
  return (
    <>
      <header class="open-head">
        <a class="button quiet back" href={toInboxHash(null)}>
          <Icon name="left" /> All
        </a>
      </header>
      <Show when={reading.error}>
        {(error) => <Problem error={error()} retry={() => void refetch()} />}
      </Show>
      <Show
        when={reading.latest}
        fallback={reading.error ? null : <p class="muted">Loading the proposal …</p>}
      >
        {(proposal) => <ProposalDetail proposal={proposal()} onChange={() => void onChange()} />}
      </Show>
    </>
  );
}
