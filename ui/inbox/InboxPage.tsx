import { createResource, For, Match, Show, Suspense, Switch } from 'solid-js';
import { age, dateTime, titleOfJob } from '../jobs/jobText.ts';
import { type Dashboard, useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/Icon.tsx';
import { nowForAges } from '../shell/now.ts';
import { Problem } from '../shell/Problem.tsx';
import { jobHash } from '../shell/router.ts';
import { useStore } from '../shell/useStore.ts';
import { AskCard } from './AskCard.tsx';
import { dismissAsk } from './dismissed.ts';
import { ASK_NAMES, type InboxItem } from './waiting.ts';
import '../jobs/page/jobParts.css';
import '../jobs/page/job.css';
import './inbox.css';

/**
 * Everything that waits for a person, the longest wait first, each with its question and its
 * answers.
 */
export function InboxPage(props: { items: readonly InboxItem[] }) {
  const { jobs } = useDashboard();
  const loaded = useStore(jobs, (context) => context.loaded);
  const problem = useStore(jobs, (context) => context.problem);
  return (
    <div class="page inbox">
      <div class="page-head">
        <h1>Needs you</h1>
        <span class="muted">
          {props.items.length > 0 ? `${props.items.length} waiting, the longest first` : ''}
        </span>
      </div>
      <Switch>
        <Match when={problem()}>
          <Problem error={problem()} />
        </Match>
        <Match when={!loaded()}>
          <p class="muted">Loading …</p>
        </Match>
        <Match when={props.items.length === 0}>
          <div class="empty card">
            <h2>Nothing is waiting for you</h2>
            <p>
              Plans to approve, questions from agents, failed jobs and halted campaigns appear here.
              Until then, jobs continue on their own.
            </p>
            <div class="row">
              <a class="button" href="#/">
                <Icon name="list" /> All jobs
              </a>
              <a class="button primary" href="#/new">
                <Icon name="plus" /> New job
              </a>
            </div>
          </div>
        </Match>
        <Match when={props.items.length > 0}>
          <ul class="plain stack">
            <For each={props.items}>{(item) => <AskItem item={item} />}</For>
          </ul>
        </Match>
      </Switch>
    </div>
  );
}

function AskItem(props: { item: InboxItem }) {
  const { client, run } = useDashboard();
  const [asked, { refetch }] = createResource(
    () => props.item.key,
    async () => {
      const [job, why] = await Promise.all([
        client.job(props.item.jobId),
        client.why(props.item.jobId),
      ]);
      return {
        job,
        events: new Set(why.waysOut.filter(({ open }) => open !== false).map(({ event }) => event)),
      };
    },
  );
  const command: Dashboard['run'] = async (says, send) => {
    const taken = await run(says, send);
    // What was refused was about something that has changed: the person decides about what there is
    // now.
    if (!taken) void refetch();
    return taken;
  };
  return (
    <li class="card inbox-item">
      <div class="card-head">
        <span class={`pill ${props.item.job.ended ? 'bad' : 'needs-you'}`}>
          {ASK_NAMES[props.item.ask]}
        </span>
        <a class="job-link grow" href={jobHash(props.item.jobId)}>
          {titleOfJob(props.item.job)}
        </a>
        <small>{props.item.job.repoSlug}</small>
        <time datetime={props.item.since} title={dateTime(props.item.since)}>
          {age(props.item.since, nowForAges())}
        </time>
        <Show when={props.item.job.ended}>
          <button type="button" class="quiet" onClick={() => dismissAsk(props.item.key)}>
            <Icon name="check" /> Dismiss
          </button>
        </Show>
      </div>
      {/* A card that arrives must not take the focus from what is being typed into another one. */}
      <Suspense fallback={<p class="muted">Loading …</p>}>
        <Switch>
          <Match when={asked.error}>
            <Problem error={asked.error} retry={() => void refetch()} />
          </Match>
          <Match when={asked.latest}>
            {(loaded) => (
              <AskCard
                job={loaded().job}
                can={(event) => loaded().events.has(event)}
                command={command}
              />
            )}
          </Match>
        </Switch>
      </Suspense>
    </li>
  );
}
