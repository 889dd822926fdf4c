import { MAX_GIVEN_REASON_CHARS } from '../../../src/base/limits/jobLimits.ts';
import { createSignal, For } from 'solid-js';
import { AskDialog } from '../../shell/controls/AskDialog.tsx';
import { createDraft } from '../../shell/drafts/drafts.ts';
import { formatJobTitle } from '../jobText.ts';
import { useJob } from './jobView.ts';

export function CancelDialog(props: { close: () => void }) {
  const { job, command } = useJob();
  const reason = createDraft({ job: job().id, field: 'reason of a cancel' });
  const send = async () => {
    const reasonText = reason.text().trim();
    const wasTaken = await command('Cancelled.', (client) =>
      client.cancel(job().id, reasonText === '' ? {} : { reason: reasonText }),
    );
    if (wasTaken) reason.forget();
    return wasTaken;
  };
  return (
    <AskDialog
      title="Cancel this job?"
      says="Cancel the job"
      keep="Keep the job"
      danger
      close={props.close}
      send={send}
    >
      <p>
        <bdi>{formatJobTitle(job())}</bdi>. A running session is asked to stop. Branches and pull
        requests stay; you can rerun a phase later.
      </p>
      <label class="field">
        Reason
        <textarea
          rows="3"
          maxlength={MAX_GIVEN_REASON_CHARS}
          placeholder="Optional; shown in the log"
          value={reason.text()}
          onInput={(event) => reason.write(event.currentTarget.value)}
        />
      </label>
    </AskDialog>
  );
}

export function RerunDialog(props: { close: () => void }) {
  const { job, command } = useJob();
  const phases = () => [...new Set(job().phases.map(({ phase }) => phase))];
  const [phase, setPhase] = createSignal(job().phases.at(-1)?.phase ?? job().phase);
  return (
    <AskDialog
      title="Rerun a phase"
      says="Rerun"
      close={props.close}
      send={() =>
        command(`Phase ${phase()} runs again.`, (client) => client.rerun(job().id, phase()))
      }
    >
      <label class="field">
        Phase
        <select value={phase()} onChange={(event) => setPhase(event.currentTarget.value)}>
          <For each={phases()}>{(name) => <option value={name}>{name}</option>}</For>
        </select>
      </label>
      <p class="muted">The job continues from there. A running session is ended first.</p>
    </AskDialog>
  );
}
