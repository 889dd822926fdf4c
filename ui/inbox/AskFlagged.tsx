import { createMemo, For, Show } from 'solid-js';
import { describeRatingNotes } from '../../src/base/jobs/labelRating.ts';
import { toPlainReason } from '../jobs/plainText.ts';
import { RatingMark } from '../jobs/RatingMark.tsx';
import { CommandRow } from '../shell/controls/CommandRow.tsx';
import { Icon } from '../shell/controls/Icon.tsx';
import { usePageKeys } from '../shell/keys/pageKeys.ts';
import { ReplyForm } from '../shell/controls/ReplyForm.tsx';
import { toJobHash } from '../shell/navigation/router.ts';
import type { AskProps } from './askProps.ts';
import { OpenChanges } from './OpenChanges.tsx';
import { PlanView } from './PlanView.tsx';
import type { Artefact, Job } from '../../src/contract/schema/job/job.ts';

interface NewestArtefacts {
  /** The newest plan, or the newest other text where it has posted no plan; null = neither. */
  document: Artefact | null;
  /** The others. */
  others: Artefact[];
}

const TEXT = /^text\/markdown\b/;

/** What the agent has posted in the newest visit of the job, newest first. */
function findNewestArtefacts(job: Pick<Job, 'artefacts' | 'visit'>): NewestArtefacts {
  const artefacts = job.artefacts
    .filter(({ visit, removedAt }) => visit === job.visit && removedAt === undefined)
    .toReversed();
  const document =
    artefacts.find(({ kind }) => kind === 'plan-md') ??
    artefacts.find(({ mime }) => TEXT.test(mime)) ??
    null;
  return { document, others: artefacts.filter((one) => one !== document) };
}

/** A flagged phase: the requirement that looks unmet, the decider's words, and the result. */
export function AskFlagged(props: AskProps) {
  let reply: HTMLDivElement | undefined;
  const record = createMemo(() =>
    props.job.decisionRecords.findLast(
      ({ site, visit, rating }) =>
        site === 'overseer' && visit === props.job.visit && rating !== null,
    ),
  );
  const rating = () => record()?.rating ?? null;
  const unmet = () => rating()?.unmet ?? null;
  const newestArtefacts = createMemo(() => findNewestArtefacts(props.job));
  usePageKeys(() => [
    {
      keys: ['r'],
      says: 'Reply',
      does: { do: () => reply?.querySelector('textarea')?.focus() },
    },
  ]);
  return (
    <>
      <h2 class="question">
        The phase <bdi>{props.job.phase}</bdi> was flagged. Run it again?
      </h2>
      <Show when={unmet()}>
        {(text) => (
          <div class="notice unmet" dir="auto">
            <strong>A requirement looks unmet:</strong> {text()}
          </div>
        )}
      </Show>
      <Show
        when={rating()}
        fallback={
          <p class="said" dir="auto">
            {toPlainReason(props.job.parked?.reason ?? '')}
          </p>
        }
      >
        {(rating) => (
          <div class="stack">
            <p>
              <RatingMark rating={{ goal: rating().goal, flagged: true }} />{' '}
              <span class="muted">
                by <bdi>{record()?.provider}</bdi> (<bdi>{record()?.model}</bdi>)
              </span>
            </p>
            <Show when={record()?.flag}>
              {(flag) => (
                <p class="said" dir="auto">
                  {toPlainReason(flag())}
                </p>
              )}
            </Show>
            <For each={describeRatingNotes(rating()).slice(unmet() === null ? 0 : 1)}>
              {(note) => (
                <p class="muted" dir="auto">
                  {note}
                </p>
              )}
            </For>
          </div>
        )}
      </Show>
      <div class="decision-bar" ref={reply}>
        <ReplyForm
          label="What should be different?"
          says="Run the phase again"
          rows={2}
          isPrimary
          proposal={unmet() === null ? undefined : `Meet this requirement: ${unmet()}`}
          draft={{ job: props.job.id, field: 'answer' }}
          send={(text) =>
            props.command('Message sent; the phase runs again.', (client) =>
              client.message(props.job.id, { message: text }),
            )
          }
        />
        <CommandRow>
          <button
            type="button"
            onClick={() =>
              void props.command('Continues as it is.', (client) =>
                client.resume(props.job.id, { eventKey: 'manual-resume' }),
              )
            }
          >
            <Icon name="play" /> Continue as it is
          </button>
        </CommandRow>
      </div>
      <PlanView job={props.job} artefactId={newestArtefacts().document?.id ?? null} />
      <Show when={newestArtefacts().others.length > 0}>
        <section aria-label="Also made by the phase">
          <h2>Also made by the phase</h2>
          <ul class="plain">
            <For each={newestArtefacts().others}>
              {({ id, title }) => (
                <li>
                  <Icon name="file" />{' '}
                  <a href={toJobHash(props.job.id, 'artefacts', id)}>
                    <bdi>{title}</bdi>
                  </a>
                </li>
              )}
            </For>
          </ul>
        </section>
      </Show>
      <OpenChanges job={props.job} />
    </>
  );
}
