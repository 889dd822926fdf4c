import { createEffect, For, Index, Show } from 'solid-js';
import type { Job } from '../src/schema/job.ts';
import type { WhyReply } from '../src/schema/replies.ts';
import { JobControls } from './JobControls.tsx';
import type { DashboardActions } from './logic/dashboard.ts';
import type { LogLine } from './logic/dashboardStore.ts';
import { artefactUrl, diffUrl, size, toneOf, visitText } from './logic/jobText.ts';

/** One job: where it is and why, what it made, and its log as it comes. */
export function JobPage(props: {
  job: Job;
  why: WhyReply | null;
  shown: string | null;
  log: LogLine[];
  command: DashboardActions['command'];
}) {
  let logBox: HTMLDivElement | undefined;
  // Whoever has scrolled up is reading: only a log that was at its end follows.
  let following = true;
  const scrolled = () => {
    following = !logBox || logBox.scrollHeight - logBox.scrollTop - logBox.clientHeight < 40;
  };
  createEffect(() => {
    if (props.log.length > 0 && logBox && following) logBox.scrollTop = logBox.scrollHeight;
  });

  return (
    <>
      <h1>
        {props.job.description || props.job.id} <span class={`pill ${toneOf(props.job)}`}>{props.job.status}</span>
      </h1>
      <p class="quiet">
        {props.job.id} · phase {props.job.phase} · {props.job.workflowPath}
      </p>

      <section aria-labelledby="why">
        <h2 id="why">Why it is here</h2>
        <Show when={props.job.parked}>{(parked) => <p>{parked().reason}</p>}</Show>
        <Show when={props.job.escalationMessage}>{(message) => <p class="problem">{message()}</p>}</Show>
        <ul>
          <For each={props.why?.waitsFor ?? []} fallback={<li>{props.job.ended ? 'It has ended.' : 'It is at work.'}</li>}>
            {(sentence) => <li>It waits {sentence}.</li>}
          </For>
        </ul>
      </section>

      <JobControls job={props.job} shown={props.shown} command={props.command} />

      <div class="columns">
        <section aria-labelledby="phases">
          <h2 id="phases">Phases</h2>
          <ol>
            <Index each={props.job.phases} fallback={<li class="quiet">None yet.</li>}>
              {(visit) => (
                <li>
                  {visit().phase} <small>{visitText(visit())}</small>
                </li>
              )}
            </Index>
          </ol>
        </section>
        <section aria-labelledby="items">
          <h2 id="items">Work items</h2>
          <ul>
            <Index each={props.job.workItems} fallback={<li class="quiet">None.</li>}>
              {(item) => (
                <li>
                  {item().title} <small>{item().status}</small>
                </li>
              )}
            </Index>
          </ul>
        </section>
        <section aria-labelledby="prs">
          <h2 id="prs">Pull requests</h2>
          <ul>
            <Index each={props.job.prMappings} fallback={<li class="quiet">None.</li>}>
              {(pr) => (
                <li>
                  <a href={diffUrl(pr().repo, pr().number)} target="_blank" rel="noopener">
                    {pr().repo} #{pr().number} {pr().title}
                  </a>{' '}
                  <small>{pr().state}</small>
                </li>
              )}
            </Index>
          </ul>
        </section>
        <section aria-labelledby="artefacts">
          <h2 id="artefacts">Artefacts</h2>
          <ul>
            <Index each={props.job.artefacts} fallback={<li class="quiet">None.</li>}>
              {(artefact) => (
                <li>
                  <a href={artefactUrl(props.job.id, artefact().id)} target="_blank" rel="noopener">
                    {artefact().title}
                  </a>{' '}
                  <small>
                    {artefact().kind}, {size(artefact().size)}
                  </small>
                </li>
              )}
            </Index>
          </ul>
        </section>
      </div>

      <section aria-labelledby="log">
        <h2 id="log">Log</h2>
        {/* In the tab order: a box that scrolls must be reachable by keyboard. */}
        <div class="log" role="log" aria-labelledby="log" tabindex="0" ref={logBox} onScroll={scrolled}>
          <For each={props.log} fallback={<p class="quiet">Nothing yet.</p>}>
            {(line) => (
              <p class={line.from}>
                <time datetime={line.at}>{line.at.slice(11, 19)}</time> <span class="phase">{line.phase}</span>{' '}
                <Show when={line.tag}>{(tag) => <b>[{tag()}] </b>}</Show>
                {line.line}
              </p>
            )}
          </For>
        </div>
      </section>
    </>
  );
}
