import { For, Show } from 'solid-js';
import { AskCard } from '../../inbox/AskCard.tsx';
import { useDashboard } from '../../shell/dashboard.ts';
import { Icon } from '../../shell/Icon.tsx';
import { jobHash } from '../../shell/router.ts';
import { Insights } from './Insights.tsx';
import { size, toneOf } from '../jobText.ts';
import { useJob } from './jobView.ts';
import { Messages } from './Messages.tsx';
import { Timeline } from './Timeline.tsx';
import { TokensChart } from './TokensChart.tsx';
import { WhyPanel } from './WhyPanel.tsx';

/**
 * What a person wants to know at once: what is asked of them, why the job is where it is, and what
 * it has made.
 */
export function Overview() {
  const { run } = useDashboard();
  const { job, can, command } = useJob();
  const asks = () => toneOf(job()) === 'needs-you' || toneOf(job()) === 'bad';
  return (
    <div class="columns">
      <div class="stack">
        <Show when={asks()}>
          <section class={`card asked ${toneOf(job())}`} aria-label="What you are asked">
            <AskCard job={job()} can={can} command={command} />
          </section>
        </Show>
        <WhyPanel />
        <Timeline />
        <Messages />
      </div>
      <div class="stack">
        <section class="card">
          <h2>Request</h2>
          <p class="description">{job().description || 'Without a description.'}</p>
        </section>
        <section class="card">
          <h2>Work items</h2>
          <ul class="plain items">
            <For each={job().workItems} fallback={<li class="muted">No work items yet.</li>}>
              {(item) => (
                <li>
                  <Icon
                    name={
                      item.status === 'complete'
                        ? 'check'
                        : item.status === 'escalated'
                          ? 'warn'
                          : 'right'
                    }
                  />
                  <span class="grow">{item.title}</span>
                  <small>{item.status}</small>
                </li>
              )}
            </For>
          </ul>
        </section>
        <section class="card">
          <h2>Pull requests</h2>
          <ul class="plain items">
            <For each={job().prMappings} fallback={<li class="muted">None yet.</li>}>
              {(pr) => (
                <li>
                  <Icon name="merge" />
                  <a class="grow" href={jobHash(job().id, 'changes', pr.prId)}>
                    {pr.title}
                  </a>
                  <span
                    class={`pill ${pr.state === 'merged' ? 'good' : pr.state === 'open' ? 'working' : ''}`}
                  >
                    {pr.state}
                  </span>
                </li>
              )}
            </For>
          </ul>
        </section>
        <section class="card">
          <h2>Artefacts</h2>
          <ul class="plain items">
            <For each={job().artefacts} fallback={<li class="muted">None yet.</li>}>
              {(artefact) => (
                <li>
                  <Icon name="file" />
                  <a class="grow" href={jobHash(job().id, 'artefacts', artefact.id)}>
                    {artefact.title}
                  </a>
                  <small>{size(artefact.size)}</small>
                </li>
              )}
            </For>
          </ul>
        </section>
        <Insights
          remove={(id) => run('Insight removed.', (client) => client.removeInsight(job().id, id))}
        />
        <TokensChart usage={job().tokenUsage} />
        <section class="card">
          <details>
            <summary>Params</summary>
            <pre class="json">{JSON.stringify(job().params, null, 2)}</pre>
          </details>
        </section>
      </div>
    </div>
  );
}
