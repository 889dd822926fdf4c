import { createEffect, createSignal, For, on, Show } from 'solid-js';
import type { ListedInsight } from '../../src/contract/schema/workflow/insight.ts';
import { createReading } from '../shell/signals/createReading.ts';
import { DEFAULT_INSIGHTS, MAX_INSIGHTS } from '../../src/base/agents/insights.ts';
import { formatCount } from '../../src/base/text/formatCount.ts';
import { MAX_SEARCH_CHARS } from '../../src/base/limits/jobLimits.ts';
import { formatAge, formatDateTime } from '../jobs/jobText.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { JobLink } from '../jobs/JobLink.tsx';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { Markdown } from '../shell/markdown/Markdown.tsx';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { toRouteHash } from '../shell/navigation/router.ts';
import { useStore } from '../shell/useStore.ts';
import { groupInsights, type InsightGroup } from './groupInsights.ts';
import { InsightButtons } from './InsightButtons.tsx';
import './insights.css';

export function InsightsPage(props: { query: Readonly<Record<string, string>> }) {
  const { client, shell } = useDashboard();
  const reconnects = useStore(shell, (context) => context.healed);
  const [limit, setLimit] = createSignal(DEFAULT_INSIGHTS);
  const buildInsightsQuery = () => ({
    limit: limit(),
    ...(props.query['q'] ? { q: props.query['q'] } : {}),
    ...(props.query['category'] ? { category: props.query['category'] } : {}),
  });
  const [reading, { refetch }] = createReading(buildInsightsQuery, (query) =>
    client.searchInsights(query),
  );
  const again = () => void refetch();
  createEffect(on(reconnects, again, { defer: true }));
  const search = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const formData = new FormData(event.currentTarget);
    location.hash = toRouteHash(['insights'], {
      q: String(formData.get('q') ?? '').trim(),
      category: String(formData.get('category') ?? '').trim(),
    });
  };
  return (
    <div class="page insights-page">
      <div class="page-head">
        <h1>Insights</h1>
        <Show when={reading.latest}>
          {(page) => page().total > 0 && <small>{formatCount(page().total, 'insight')}</small>}
        </Show>
      </div>
      <search>
        <form class="row" onSubmit={search}>
          <input
            type="search"
            name="q"
            data-search
            aria-label="Search insights"
            placeholder="Search insights"
            maxlength={MAX_SEARCH_CHARS}
            dir="auto"
            value={props.query['q'] ?? ''}
          />
          <input
            name="category"
            aria-label="Category"
            placeholder="Category, such as contract-drift"
            maxlength={64}
            value={props.query['category'] ?? ''}
          />
          <button type="submit">
            <Icon name="search" /> Search
          </button>
        </form>
      </search>
      <ReadingView reading={reading} retry={again}>
        <ul class="plain insight-rows reread" aria-busy={reading.isOld}>
          <For
            each={groupInsights(reading.latest?.insights ?? [])}
            fallback={
              <li class="muted">
                <Show when={!reading.loading} fallback="Loading …">
                  <Show
                    when={props.query['q'] || props.query['category']}
                    fallback={
                      <div class="empty">
                        <h2>No insights yet</h2>
                        <p>
                          Agents record here what later sessions should know. You can propose the
                          best ones for the memory; a job of the workflow <em>Self-update</em>{' '}
                          learns from all ended jobs.
                        </p>
                        <p class="row">
                          <a class="button" href="#/new">
                            <Icon name="plus" /> New job
                          </a>
                        </p>
                      </div>
                    }
                  >
                    No insight matches. <a href="#/insights">Show all</a>
                  </Show>
                </Show>
              </li>
            }
          >
            {(group) => <InsightRow group={group} onChange={again} />}
          </For>
        </ul>
        <Show when={limit() < MAX_INSIGHTS && (reading.latest?.total ?? 0) > limit()}>
          <button type="button" onClick={() => setLimit(MAX_INSIGHTS)}>
            Show more
          </button>
        </Show>
      </ReadingView>
    </div>
  );
}

/** An insight once, however many jobs have had it. */
function InsightRow(props: { group: InsightGroup; onChange: () => void }) {
  const { newest, all } = props.group;
  const jobs = new Set(all.map(({ jobId }) => jobId)).size;
  return (
    <li class="insight-row">
      <Markdown text={newest.text} />
      <Show
        when={all.length > 1}
        fallback={<InsightSource insight={newest} onChange={props.onChange} />}
      >
        <details>
          <summary>
            {newest.category} <span class="pill">{formatCount(jobs, 'job')}</span> newest:{' '}
            <span title={formatDateTime(newest.at)}>{formatAge(newest.at, nowForAges())}</span>
          </summary>
          <For each={all}>
            {(insight) => <InsightSource insight={insight} onChange={props.onChange} />}
          </For>
        </details>
      </Show>
    </li>
  );
}

function InsightSource(props: { insight: ListedInsight; onChange: () => void }) {
  const { insight } = props;
  return (
    <div class="row">
      <small class="grow">
        <a href={`#/insights?category=${encodeURIComponent(insight.category)}`}>
          {insight.category}
        </a>
        {' · '}
        <JobLink jobId={insight.jobId} />, phase <bdi>{insight.phase}</bdi>,{' '}
        <span title={formatDateTime(insight.at)}>{formatAge(insight.at, nowForAges())}</span>
      </small>
      <InsightButtons jobId={insight.jobId} insight={insight} onRemove={props.onChange} />
    </div>
  );
}
