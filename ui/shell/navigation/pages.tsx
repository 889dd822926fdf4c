import { Match, Show, Switch } from 'solid-js';
import { createLazyPart } from '../signals/lazyPart.ts';
import { JOB_TAB_PARTS } from '../../jobs/page/jobTabs.ts';
import { Icon } from '../controls/Icon.tsx';
import type { Route, TeamPart } from './router.ts';
import { useDashboard } from '../dashboard.ts';
import { isPageOffered } from './offeredPages.ts';

const JobsPage = createLazyPart(
  async () => (await import('../../jobs/list/JobsPage.tsx')).JobsPage,
);
const InboxPage = createLazyPart(async () => (await import('../../inbox/InboxPage.tsx')).InboxPage);
const JobPage = createLazyPart(async () => (await import('../../jobs/page/JobPage.tsx')).JobPage);
const WorkflowPage = createLazyPart(
  async () => (await import('../../authoring/WorkflowPage.tsx')).WorkflowPage,
);
const NewJobPage = createLazyPart(
  async () => (await import('../../jobs/newJob/NewJobPage.tsx')).NewJobPage,
);

const PlanPage = createLazyPart(async () => (await import('../../plan/PlanPage.tsx')).PlanPage);

const SchedulesPage = createLazyPart(
  async () => (await import('../../schedules/SchedulesPage.tsx')).SchedulesPage,
);

const NotificationsPage = createLazyPart(
  async () => (await import('../../notifications/NotificationsPage.tsx')).NotificationsPage,
);

const StatisticsPage = createLazyPart(
  async () => (await import('../../statistics/StatisticsPage.tsx')).StatisticsPage,
);

const BudgetsPage = createLazyPart(
  async () => (await import('../../budgets/BudgetsPage.tsx')).BudgetsPage,
);

const ReportPage = createLazyPart(
  async () => (await import('../../report/ReportPage.tsx')).ReportPage,
);

const GuardrailsPage = createLazyPart(
  async () => (await import('../../guardrails/GuardrailsPage.tsx')).GuardrailsPage,
);
const SetUpPage = createLazyPart(async () => (await import('../../setup/SetUpPage.tsx')).SetUpPage);

const InsightsPage = createLazyPart(
  async () => (await import('../../insights/InsightsPage.tsx')).InsightsPage,
);
const PluginsPage = createLazyPart(
  async () => (await import('../../plugins/PluginsPage.tsx')).PluginsPage,
);
const ProposalsPage = createLazyPart(
  async () => (await import('../../proposals/ProposalsPage.tsx')).ProposalsPage,
);
const SettingsPage = createLazyPart(
  async () => (await import('../../settings/SettingsPage.tsx')).SettingsPage,
);
const RatingsPage = createLazyPart(
  async () => (await import('../../ratings/RatingsPage.tsx')).RatingsPage,
);

const ComparePage = createLazyPart(
  async () => (await import('../../compare/ComparePage.tsx')).ComparePage,
);

const MachinesPage = createLazyPart(
  async () => (await import('../../machines/MachinesPage.tsx')).MachinesPage,
);

const ActsPage = createLazyPart(async () => (await import('../../audit/ActsPage.tsx')).ActsPage);

/** The audit log of a runner has the address of that of a team. */
const isActsRoute = (route: Route): boolean => route.page === 'team' && route.part === 'audit';

const NAMES: Readonly<Record<Route['page'], string>> = {
  home: 'Jobs',
  jobs: 'Jobs',
  inbox: 'Needs you',
  job: 'Job',
  dispatch: 'New job',
  plan: 'Plan',
  workflows: 'Workflows',
  schedules: 'Schedules',
  notifications: 'Notifications',
  statistics: 'Statistics',
  budgets: 'Budgets',
  report: 'Report',
  guardrails: 'Guardrails',
  setup: 'Setup',
  insights: 'Insights',
  plugins: 'Plugins',
  settings: 'Settings',
  proposals: 'Proposals',
  ratings: 'Ratings',
  compare: 'Compare jobs',
  machines: 'System charts',
  team: 'Team',
  missing: 'Page not found',
};

const TEAM_NAMES: Readonly<Record<TeamPart, string>> = {
  teams: 'Teams',
  members: 'Members',
  runners: 'Runners',
  dispatches: 'Waiting dispatches',
  versions: 'Overlay versions',
  audit: 'Audit',
};

const PARTS = {
  jobs: JobsPage,
  inbox: InboxPage,
  job: JobPage,
  dispatch: NewJobPage,
  plan: PlanPage,
  workflows: WorkflowPage,
  schedules: SchedulesPage,
  notifications: NotificationsPage,
  statistics: StatisticsPage,
  budgets: BudgetsPage,
  report: ReportPage,
  guardrails: GuardrailsPage,
  setup: SetUpPage,
  insights: InsightsPage,
  plugins: PluginsPage,
  settings: SettingsPage,
  proposals: ProposalsPage,
  ratings: RatingsPage,
  compare: ComparePage,
  machines: MachinesPage,
} as const;

const isPart = (page: Route['page']): page is keyof typeof PARTS => page in PARTS;

/** Loads a page's files before it is shown; null = loaded. Rejects with FileMissing. */
export function preparePage(route: Route): Promise<unknown> | null {
  const part = isPart(route.page) ? PARTS[route.page] : isActsRoute(route) ? ActsPage : null;
  const tab = route.page === 'job' && route.tab !== 'overview' ? JOB_TAB_PARTS[route.tab] : null;
  const unloadedParts = [part, tab].flatMap((one) =>
    one && !one.isLoaded() ? [one.preload()] : [],
  );
  return unloadedParts.length === 0 ? null : Promise.all(unloadedParts);
}

export const namePage = (route: Route): string =>
  route.page === 'job'
    ? `${route.jobId} · ${route.tab}`
    : route.page === 'jobs' && route.view === 'board'
      ? 'Board'
      : route.page === 'team'
        ? TEAM_NAMES[route.part]
        : NAMES[route.page];

const narrowRoute = <Page extends Route['page']>(
  route: Route,
  page: Page,
): Extract<Route, { page: Page }> | false =>
  route.page === page && (route as Extract<Route, { page: Page }>);

/** The page that the address names, with the choice of a runner where a team has several. */
export function RoutedPage(props: { route: Route }) {
  const { team, offers } = useDashboard();
  const page = () => (
    <Show when={isPageOffered(props.route, offers)} fallback={<NotOffered />}>
      <OpenPage route={props.route} />
    </Show>
  );
  return team === null ? page() : <team.RunnerScope route={props.route}>{page()}</team.RunnerScope>;
}

/** A page that a team does not have, or that the role of the person does not reach. */
function NotOffered() {
  return (
    <div class="page empty">
      <Icon name="lock" />
      <h1>Not part of this team</h1>
      <p>
        This page belongs to a runner, or needs another role. On the machine of a runner,{' '}
        <code>svc open</code> opens the dashboard with everything.
      </p>
      <a class="button" href="#/jobs">
        All jobs
      </a>
    </div>
  );
}

/** Each page is loaded when it is first opened. */
function OpenPage(props: { route: Route }) {
  const { team } = useDashboard();
  return (
    <Switch
      fallback={
        <div class="page empty">
          <Icon name="search" />
          <h1>Page not found</h1>
          <p>The dashboard has no page at this address.</p>
          <a class="button" href="#/jobs">
            All jobs
          </a>
        </div>
      }
    >
      <Match when={narrowRoute(props.route, 'jobs')}>
        {(route) => <JobsPage view={route().view} query={route().query} />}
      </Match>
      <Match when={props.route.page === 'home'}>
        <p class="page muted">Loading …</p>
      </Match>
      <Match when={narrowRoute(props.route, 'inbox')}>
        {(route) => <InboxPage itemId={route().itemId} />}
      </Match>
      <Match when={narrowRoute(props.route, 'job')}>
        {(route) => <JobPage jobId={route().jobId} tab={route().tab} rest={route().rest} />}
      </Match>
      <Match when={narrowRoute(props.route, 'workflows')}>
        {(route) => <WorkflowPage rest={route().rest} />}
      </Match>
      <Match when={props.route.page === 'schedules'}>
        <SchedulesPage />
      </Match>
      <Match when={props.route.page === 'notifications'}>
        <NotificationsPage />
      </Match>
      <Match when={props.route.page === 'statistics'}>
        <StatisticsPage />
      </Match>
      <Match when={props.route.page === 'budgets'}>
        <BudgetsPage />
      </Match>
      <Match when={props.route.page === 'ratings'}>
        <RatingsPage />
      </Match>
      <Match when={narrowRoute(props.route, 'compare')}>
        {(route) => <ComparePage ids={route().jobIds} />}
      </Match>
      <Match when={narrowRoute(props.route, 'report')}>
        {(route) => <ReportPage since={route().query['since']} />}
      </Match>
      <Match when={narrowRoute(props.route, 'guardrails')}>
        {(route) => <GuardrailsPage rule={route().query['rule']} />}
      </Match>
      <Match when={narrowRoute(props.route, 'setup')}>
        {(route) => <SetUpPage step={route().query['step']} />}
      </Match>
      <Match when={narrowRoute(props.route, 'insights')}>
        {(route) => <InsightsPage query={route().query} />}
      </Match>
      <Match when={narrowRoute(props.route, 'plugins')}>
        {(route) => <PluginsPage pluginId={route().pluginId} query={route().query} />}
      </Match>
      <Match when={narrowRoute(props.route, 'proposals')}>
        {(route) => <ProposalsPage proposalId={route().proposalId} />}
      </Match>
      <Match when={narrowRoute(props.route, 'settings')}>
        {(route) => <SettingsPage section={route().section} />}
      </Match>
      <Match when={narrowRoute(props.route, 'dispatch')}>
        {(route) => <NewJobPage from={route().query.from ?? null} />}
      </Match>
      <Match when={narrowRoute(props.route, 'plan')}>
        {(route) => <PlanPage sessionId={route().sessionId} />}
      </Match>
      <Match when={team !== null && narrowRoute(props.route, 'team')}>
        {(route) => team && <team.TeamPage part={route().part} query={route().query} />}
      </Match>
      <Match when={team === null && isActsRoute(props.route) && props.route}>
        {(route) => <ActsPage query={route().query} />}
      </Match>
      <Match when={narrowRoute(props.route, 'machines')}>
        {(route) => <MachinesPage rest={route().rest} />}
      </Match>
    </Switch>
  );
}
