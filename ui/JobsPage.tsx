import { Index, Show } from 'solid-js';
import type { JobSummary } from '../src/schema/job.ts';
import { age, hashOf, toneOf } from './logic/jobText.ts';

/** The newest jobs, one a row. `now` is epoch ms. */
export function JobsPage(props: { jobs: JobSummary[]; total: number; loaded: boolean; now: number }) {
  return (
    <Show when={props.loaded} fallback={<p class="quiet">Loading jobs …</p>}>
      <h1>Jobs</h1>
      <Show
        when={props.jobs.length > 0}
        fallback={
          <p>
            There are no jobs yet. Start one with <code>svc job --repo … --reviewers … --description …</code>
          </p>
        }
      >
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Status</th>
                <th scope="col">Job</th>
                <th scope="col">Phase</th>
                <th scope="col">Waits for</th>
                <th scope="col">Age</th>
              </tr>
            </thead>
            <tbody>
              <Index each={props.jobs}>
                {(job) => (
                  <tr>
                    <td>
                      <span class={`pill ${toneOf(job())}`}>{job().status}</span>
                    </td>
                    <th scope="row">
                      <a href={hashOf(job().id)}>{job().description || job().id}</a>
                      <small>{job().id}</small>
                    </th>
                    <td>{job().phase}</td>
                    <td>{job().parked?.reason ?? ''}</td>
                    <td>
                      <time datetime={job().createdAt}>{age(job().createdAt, props.now)}</time>
                    </td>
                  </tr>
                )}
              </Index>
            </tbody>
          </table>
        </div>
        <Show when={props.total > props.jobs.length}>
          <p class="quiet">
            The newest {props.jobs.length} of {props.total}. <code>svc jobs</code> lists all.
          </p>
        </Show>
      </Show>
    </Show>
  );
}
