import { createSignal, For, Show } from 'solid-js';
import type { Proposal } from '../../src/contract/schema/workflow/proposal.ts';
import { AskDialog } from '../shell/controls/AskDialog.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import { WARNINGS } from './proposalText.ts';

export function DecideProposal(props: { proposal: Proposal; onChange: () => void }) {
  const { run } = useDashboard();
  const [asks, setAsks] = createSignal<'approve' | 'reject' | null>(null);
  const [allowed, setAllowed] = createSignal<readonly string[]>([]);
  const [reason, setReason] = createSignal('');
  const state = () => props.proposal.state;
  const demanding = () => (props.proposal.checks?.warnings ?? []).filter(({ allow }) => allow);
  const isReady = () => demanding().every(({ id }) => allowed().includes(id));
  const tick = (id: string, on: boolean) =>
    setAllowed((ids) => (on ? [...ids, id] : ids.filter((one) => one !== id)));
  const notifyDone = (isTaken: boolean): boolean => {
    props.onChange();
    return isTaken;
  };
  const approve = async (applies: boolean) => {
    const { id, hash } = props.proposal;
    const wasTaken = await run('The proposal is approved', (client) =>
      client.approveProposal(id, { hash, allow: [...allowed()] }),
    );
    return notifyDone(wasTaken && (!applies || (await apply())));
  };
  const apply = async () => {
    const { id } = props.proposal;
    const wasTaken = await run('Apply attempted', async (client) => {
      const { state: now, problem } = await client.applyProposal(id);
      if (now === 'conflicted') throw new Error(problem ?? 'It conflicts with later changes.');
    });
    return notifyDone(wasTaken);
  };
  const reject = async () => {
    const { id } = props.proposal;
    const why = reason().trim();
    return notifyDone(
      await run('The proposal is rejected', (client) =>
        client.rejectProposal(id, why === '' ? {} : { reason: why }),
      ),
    );
  };
  return (
    <div class="row proposal-acts">
      <Show when={state() === 'open'}>
        <button type="button" class="primary" onClick={() => setAsks('approve')}>
          Approve …
        </button>
      </Show>
      <Show when={state() === 'approved' || state() === 'conflicted'}>
        <button type="button" class="primary" onClick={() => void apply()}>
          {state() === 'conflicted' ? 'Try to apply it again' : 'Apply'}
        </button>
      </Show>
      <Show when={['draft', 'open', 'approved', 'conflicted'].includes(state())}>
        <button type="button" onClick={() => setAsks('reject')}>
          Reject …
        </button>
      </Show>
      <Show when={asks() === 'approve'}>
        <AskDialog
          title="Approve exactly this?"
          says="Approve and apply"
          isReady={isReady()}
          close={() => setAsks(null)}
          send={() => approve(true)}
        >
          <p>
            Jobs use it from their next phase on
            {props.proposal.layer === 'repo' ? ', once its pull request is merged' : ''}.
          </p>
          <For each={demanding()}>
            {({ id, kind, path, says }) => (
              <label class="check proposal-allow">
                <input
                  type="checkbox"
                  checked={allowed().includes(id)}
                  onChange={(event) => tick(id, event.currentTarget.checked)}
                />
                <span>
                  <strong>{WARNINGS[kind]}</strong>: <bdi>{revealTurningCharacters(path)}</bdi>{' '}
                  {revealTurningCharacters(says)}
                </span>
              </label>
            )}
          </For>
        </AskDialog>
      </Show>
      <Show when={asks() === 'reject'}>
        <AskDialog
          title="Reject it?"
          says="Reject"
          danger
          close={() => setAsks(null)}
          send={reject}
        >
          <label class="stack">
            <span>Reason (later agents read it)</span>
            <textarea
              rows="3"
              maxLength={2_000}
              value={reason()}
              onInput={(event) => setReason(event.currentTarget.value)}
            />
          </label>
        </AskDialog>
      </Show>
    </div>
  );
}
