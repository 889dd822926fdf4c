import { MAX_GIVEN_REASON_CHARS } from '../../../src/domain/jobLimits.ts';
import { createSignal, For, Show } from 'solid-js';
import { AskDialog } from '../../shell/AskDialog.tsx';
import { AWAY } from '../../shell/CommandRow.tsx';
import { createDraft } from '../../shell/drafts.ts';
import { Icon } from '../../shell/Icon.tsx';
import { hashOf } from '../../shell/router.ts';
import { titleOfJob, toneOf } from '../jobText.ts';
import type { Job } from '../../../src/schema/job.ts';
import { usePageKeys } from '../../shell/pageKeys.ts';
import { useJob } from './jobView.ts';

/** What a resume does to a job that waits for something that may still come. */
const WITHOUT_WAITING: Readonly<Record<string, string>> = {
  event:
    'Starts the agent now, although its pull request has not changed. It is not merged by this.',
  quota: "Tries now, although the model's endpoint asked to wait.",
  budget: 'Continues where enough of the budget is left; else it stays as it is.',
  outage: 'Tries now, although the service did not answer.',
};

/** Its question offers to resume it. */
const isQuestion = ({ parked }: Pick<Job, 'parked'>): boolean =>
  parked !== null && ['developer', 'external', 'flagged', 'budget'].includes(parked.kind);

type Asked = 'cancel' | 'rerun' | null;

/**
 * What a person can tell the job in one click; answers to its question are with the question.
 */
export function JobActions(props: {
  /** The question of the job, with what answers it, is on the same page. */
  isOverview: boolean;
}) {
  const { job, can, command, reachable } = useJob();
  const [busy, setBusy] = createSignal(false);
  const [asked, setAsked] = createSignal<Asked>(null);
  const once = async (send: () => Promise<unknown>) => {
    setBusy(true);
    await send();
    setBusy(false);
  };
  const resume = () =>
    once(() =>
      command('Resumed.', (client) => client.resume(job().id, { eventKey: 'manual-resume' })),
    );
  const pause = () => {
    const { id } = job();
    return once(() =>
      command('Paused.', (client) => client.pause(id), {
        says: 'Resumed.',
        send: (client) => client.resume(id, { eventKey: 'manual-resume' }),
      }),
    );
  };
  const off = () => busy() || !reachable();
  const resumable = () => can('job.resume') && job().parked?.kind !== 'approval';
  const why = () => (reachable() ? undefined : AWAY);
  const resumesBelow = () =>
    props.isOverview &&
    (job().ended ? toneOf(job()) === 'needs-you' || toneOf(job()) === 'bad' : isQuestion(job()));

  // The palette offers the same as the buttons.
  usePageKeys(() => {
    const offered: readonly (readonly [says: string, is: boolean, run: () => void])[] = [
      ['Resume this job', resumable(), () => void resume()],
      ['Pause this job', can('job.pause'), () => void pause()],
      ['Rerun a phase of this job', can('job.rerun'), () => setAsked('rerun')],
      ['Cancel this job', can('job.cancel'), () => setAsked('cancel')],
    ];
    return offered
      .filter(([, is]) => is && !off())
      .map(([says, , run]) => ({ keys: [], says, does: { do: run } }));
  });

  return (
    <div class="row job-actions">
      <Show when={resumable() && !resumesBelow()}>
        <button
          type="button"
          class={WITHOUT_WAITING[job().parked?.kind ?? ''] ? '' : 'primary'}
          disabled={off()}
          title={why() ?? WITHOUT_WAITING[job().parked?.kind ?? '']}
          onClick={resume}
        >
          <Icon name="play" /> Resume
          <Show when={WITHOUT_WAITING[job().parked?.kind ?? '']}>
            <span class="label"> without waiting</span>
          </Show>
        </button>
      </Show>
      <Show when={can('job.pause')}>
        <button type="button" disabled={off()} title={why()} onClick={pause}>
          <Icon name="pause" /> Pause
        </button>
      </Show>
      <Show when={can('job.rerun')}>
        <button type="button" disabled={off()} title={why()} onClick={() => setAsked('rerun')}>
          <Icon name="redo" /> <span class="label">Rerun phase</span>
        </button>
      </Show>
      <a class="button" href={hashOf(['new'], { from: job().id })}>
        <Icon name="plus" /> <span class="label">Run again</span>
      </a>
      <Show when={can('job.cancel')}>
        <button
          type="button"
          class="danger"
          disabled={off()}
          title={why()}
          onClick={() => setAsked('cancel')}
        >
          <Icon name="stop" /> Cancel
        </button>
      </Show>
      <Show when={asked() === 'cancel'}>
        <CancelDialog close={() => setAsked(null)} />
      </Show>
      <Show when={asked() === 'rerun'}>
        <RerunDialog close={() => setAsked(null)} />
      </Show>
    </div>
  );
}

function CancelDialog(props: { close: () => void }) {
  const { job, command } = useJob();
  const reason = createDraft({ job: job().id, field: 'reason of a cancel' });
  const send = async () => {
    const said = reason.text().trim();
    const taken = await command('Cancelled.', (client) =>
      client.cancel(job().id, said === '' ? {} : { reason: said }),
    );
    if (taken) reason.sent();
    return taken;
  };
  return (
    <AskDialog
      title="Cancel this job?"
      says="Cancel the job"
      danger
      close={props.close}
      send={send}
    >
      <p>
        <bdi>{titleOfJob(job())}</bdi>. A running session is asked to stop. Branches and pull
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

function RerunDialog(props: { close: () => void }) {
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
