import { createSignal, Show } from 'solid-js';
import { createReading } from '../../shell/signals/createReading.ts';
import type { ParkKind } from '../../../src/contract/schema/job/job.ts';
import { ActionMenu, type MenuAction } from '../../shell/controls/ActionMenu.tsx';
import { AWAY } from '../../shell/controls/CommandRow.tsx';
import { useDashboard } from '../../shell/dashboard.ts';
import { usePageKeys } from '../../shell/keys/pageKeys.ts';
import { copyMarkdown } from '../../shell/controls/copyMarkdown.ts';
import { readPageAddress } from '../../shell/markdown/writeMarkdown.ts';
import { useStore } from '../../shell/useStore.ts';
import { formatJobMarkdown } from './formatJobMarkdown.ts';
import { listStatusSentences } from './listStatusSentences.ts';
import { isHashOffered } from '../../shell/navigation/offeredPages.ts';
import { toRouteHash, toJobHash, type JobTab } from '../../shell/navigation/router.ts';
import { isAskedOnOverview } from './isAskedOnOverview.ts';
import { CancelDialog, RerunDialog } from './JobDialogs.tsx';
import { useJob } from './jobView.ts';
import { findPrToReview, pickNextStep, type JobCommand, type NextStep } from './pickNextStep.ts';
import { readChangeSize } from './readChangeSize.ts';
import { Icon } from '../../shell/controls/Icon.tsx';

function NextButton(props: {
  step: NextStep;
  /** The question with its answers is on the same page, with a blue button of its own. */
  isBelow: boolean;
  off: boolean;
  /** Why it is off. */
  why: string | undefined;
  run: (command: JobCommand) => void;
}) {
  const look = () => (props.step.isPrimary && !props.isBelow ? 'primary' : '');
  /** The card below offers the same: one action has one button. */
  const isRepeated = () => props.isBelow && (props.step.command !== null || props.step.isAnswer);
  return (
    <Show when={!isRepeated()}>
      <Show
        when={props.step.command}
        fallback={
          <a class={`button ${look()}`} href={props.step.href ?? ''}>
            <Icon name={props.step.icon} /> {props.step.says}
          </a>
        }
      >
        {(command) => (
          <button
            type="button"
            class={look()}
            disabled={props.off}
            title={props.why}
            onClick={() => props.run(command())}
          >
            <Icon name={props.step.icon} /> {props.step.says}
          </button>
        )}
      </Show>
    </Show>
  );
}

const RESUMES: Readonly<Partial<Record<ParkKind, readonly [says: string, does: string]>>> = {
  event: [
    'Continue without review',
    'Starts the agent now, although its pull request has not changed. The pull request is not merged.',
  ],
  quota: ['Try again now', "Tries now, although the model's endpoint asked to wait."],
  budget: [
    'Continue within the budget',
    'Continues if enough of the budget is left; otherwise it keeps waiting.',
  ],
  outage: ['Try again now', 'Tries now, although the service did not answer.'],
  developer: ['Continue without an answer', 'Runs the phase again with nothing new.'],
  external: ['Continue', 'What it waits for has happened.'],
  flagged: ['Continue as it is', 'The work of the flagged phase stays as it is.'],
};

type AskedAction = 'cancel' | 'rerun' | null;

export function JobActions(props: { tab: JobTab }) {
  const { job, can, command, reachable, store } = useJob();
  const why = useStore(store, (context) => context.why);
  const [busy, setBusy] = createSignal(false);
  const [dialog, setDialog] = createSignal<AskedAction>(null);
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
  const { client, offers, shell } = useDashboard();
  /** The pull request to be looked at, where its changes can be read without a network. */
  const local = () => {
    const pr = job().parked?.kind === 'event' ? findPrToReview(job()) : null;
    return pr?.forge === 'local' ? pr : null;
  };
  const [size] = createReading(
    () => local() && `${job().id} ${local()?.prId} ${job().updatedAt}`,
    () => readChangeSize(client, job().id, local()?.prId ?? ''),
  );
  const next = () => {
    const step = pickNextStep(job(), can, size.error ? null : (size.latest ?? null));
    // The step would lead to where the person already is.
    const isHere =
      props.tab !== 'overview' && step?.href?.startsWith(toJobHash(job().id, props.tab));
    const isOffered = !step?.href || isHashOffered(step.href, offers);
    return isHere || !isOffered ? null : step;
  };
  /** The question with its answers is on this page: what it has as its own is not offered twice. */
  const isBelow = () => props.tab === 'overview' && isAskedOnOverview(job());
  const resumable = () => can('job.resume') && job().parked?.kind !== 'approval';
  const whyOff = () => (reachable() ? undefined : AWAY);
  const run: Readonly<Record<JobCommand, () => void>> = {
    resume: () => void resume(),
    pause: () => void pause(),
    rerun: () => setDialog('rerun'),
    cancel: () => setDialog('cancel'),
  };
  const copy = () => {
    const sentences = listStatusSentences(job(), why()?.waitsFor ?? []);
    const text = formatJobMarkdown(job(), sentences, readPageAddress(location));
    void copyMarkdown(shell, job().id, text);
  };
  const isNext = (command: JobCommand) => next()?.command === command;
  const more = (): MenuAction[] => {
    const [resumeSays, resumeDoes] = RESUMES[job().parked?.kind ?? 'approval'] ?? ['Resume'];
    const offeredCommands: readonly (readonly [JobCommand, boolean, Omit<MenuAction, 'does'>])[] = [
      ['resume', resumable() && !isBelow(), { says: resumeSays, icon: 'play', title: resumeDoes }],
      ['pause', can('job.pause'), { says: 'Pause', icon: 'pause' }],
      ['rerun', can('job.rerun'), { says: 'Rerun a phase …', icon: 'redo' }],
    ];
    const again = { says: 'Run again', icon: 'plus' } as const;
    const opens = next()?.says === again.says;
    return [
      ...offeredCommands
        .filter(([command, is]) => is && !isNext(command))
        .map(([command, , action]) => ({
          ...action,
          title: whyOff() ?? action.title,
          disabled: off(),
          does: { run: run[command] },
        })),
      ...(opens || !offers('createJob')
        ? []
        : [{ ...again, does: { href: toRouteHash(['new'], { from: job().id }) } }]),
      ...(offers('timeline')
        ? [
            {
              says: 'Compare with …',
              icon: 'graph' as const,
              does: { href: toRouteHash(['compare', job().id]) },
            },
          ]
        : []),
      { says: 'Copy as Markdown', icon: 'copy', does: { run: copy } },
      ...(can('job.cancel')
        ? [
            {
              says: 'Cancel the job …',
              icon: 'stop' as const,
              danger: true,
              title: whyOff(),
              disabled: off(),
              does: { run: run.cancel },
            },
          ]
        : []),
    ];
  };

  // The palette offers the same as the buttons.
  usePageKeys(() => {
    const offeredActions: readonly (readonly [says: string, is: boolean, run: () => void])[] = [
      ['Resume this job', resumable(), () => void resume()],
      ['Pause this job', can('job.pause'), () => void pause()],
      ['Rerun a phase of this job', can('job.rerun'), () => setDialog('rerun')],
      ['Cancel this job', can('job.cancel'), () => setDialog('cancel')],
    ];
    return offeredActions
      .filter(([, is]) => is && !off())
      .map(([says, , run]) => ({ keys: [], says, does: { do: run } }));
  });

  return (
    <div class="row job-actions">
      <Show when={next()}>
        {(step) => (
          <NextButton
            step={step()}
            isBelow={isBelow()}
            off={off()}
            why={whyOff()}
            run={(command) => run[command]()}
          />
        )}
      </Show>
      <ActionMenu label="More actions" actions={more()} />
      <Show when={dialog() === 'cancel'}>
        <CancelDialog close={() => setDialog(null)} />
      </Show>
      <Show when={dialog() === 'rerun'}>
        <RerunDialog close={() => setDialog(null)} />
      </Show>
    </div>
  );
}
