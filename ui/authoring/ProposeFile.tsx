import { createSignal } from 'solid-js';
import { MAX_PROPOSAL_DESCRIPTION } from '../../src/base/agents/proposals.ts';
import { AskDialog } from '../shell/controls/AskDialog.tsx';

/** Asks for the reason of a change, which becomes a proposal for the team. */
export function ProposeFile(props: {
  path: string;
  removes: boolean;
  close: () => void;
  propose: (description: string) => Promise<boolean>;
}) {
  const [description, setDescription] = createSignal('');
  return (
    <AskDialog
      title={props.removes ? `Propose to delete ${props.path}?` : 'Propose this change?'}
      says="Propose"
      isReady={description().trim() !== ''}
      close={props.close}
      send={() => props.propose(description().trim())}
    >
      <p>Another member of the team reviews, approves and applies it.</p>
      <label class="stack">
        <span>What it improves, and why</span>
        <textarea
          rows="3"
          maxLength={MAX_PROPOSAL_DESCRIPTION}
          value={description()}
          onInput={(event) => setDescription(event.currentTarget.value)}
        />
      </label>
    </AskDialog>
  );
}
