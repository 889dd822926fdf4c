import { createMemo, For, Show } from 'solid-js';
import type { JobSummary } from '../../../src/schema/job.ts';
import { jobHash } from '../../shell/router.ts';
import { byTone } from './filters.ts';
import { age, statusOf, titleOfJob, type Tone, TONE_NAMES, TONES } from '../jobText.ts';
import { StatusMark } from '../StatusMark.tsx';

/** Columns that are left out while they are empty. */
const SHOWN_WHEN_USED: ReadonlySet<Tone> = new Set<Tone>(['partial', 'over']);
/** Cards of one column; the list shows all. */
const SHOWN = 50;

/** Jobs as cards, a column for each way that a job can be. */
export function Board(props: { jobs: readonly JobSummary[]; now: number }) {
  const columns = createMemo(() => byTone(props.jobs));
  return (
    <div class="board">
      <For each={TONES.filter((tone) => !SHOWN_WHEN_USED.has(tone) || columns()[tone].length > 0)}>
        {(tone) => (
          <section aria-label={TONE_NAMES[tone]}>
            <h2>
              <StatusMark tone={tone} /> {TONE_NAMES[tone]} <small>{columns()[tone].length}</small>
            </h2>
            <ul class="plain">
              <For each={columns()[tone].slice(0, SHOWN)} fallback={<li class="none">None</li>}>
                {(job) => (
                  <li>
                    <a class="board-card" href={jobHash(job.id)}>
                      <span class="title">{titleOfJob(job)}</span>
                      <Show when={job.parked}>
                        {(parked) => <span class="reason">{parked().reason}</span>}
                      </Show>
                      <span class="row">
                        <span class={`pill ${tone}`}>{statusOf(job)}</span>
                        <Show when={job.repoSlug}>{(repo) => <small>{repo()}</small>}</Show>
                        <small class="age">
                          {age(job.parked?.since ?? job.createdAt, props.now)}
                        </small>
                      </span>
                    </a>
                  </li>
                )}
              </For>
              <Show when={columns()[tone].length > SHOWN}>
                <li class="none">{columns()[tone].length - SHOWN} more in the list</li>
              </Show>
            </ul>
          </section>
        )}
      </For>
    </div>
  );
}
