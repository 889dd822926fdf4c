import { Show } from 'solid-js';
import type { PrMapping } from '../../../src/schema/pr.ts';
import { Icon } from '../../shell/Icon.tsx';

/** Addresses of forges come from agents and from afar: only those of the web are links. */
const isWeb = (url: string): boolean => /^https?:\/\//i.test(url);

/** A pull request of a forge that has pages of its own: what is known here, and the way there. */
export function PullRequestElsewhere(props: { pr: PrMapping }) {
  return (
    <section class="card pr">
      <div class="card-head">
        <Icon name="merge" />
        <h2>{props.pr.title}</h2>
        <span
          class={`pill ${props.pr.state === 'merged' ? 'good' : props.pr.state === 'open' ? 'working' : ''}`}
        >
          {props.pr.state}
        </span>
      </div>
      <p class="muted">
        <code>{props.pr.head}</code> into <code>{props.pr.base}</code> · {props.pr.forge}{' '}
        {props.pr.repo}#{props.pr.number}
      </p>
      <p>
        See its diff and comments, and merge it, on {props.pr.forge}. The job follows what happens
        there.
      </p>
      <Show when={isWeb(props.pr.url)}>
        <a class="button self-start" href={props.pr.url} target="_blank" rel="noopener noreferrer">
          Open it on {props.pr.forge}
        </a>
      </Show>
    </section>
  );
}
