import {
  batch,
  createEffect,
  createMemo,
  createSignal,
  ErrorBoundary,
  on,
  onCleanup,
  onMount,
  Show,
  Suspense,
  untrack,
} from 'solid-js';
import {
  toAccountNotices,
  toBudgetStopNotices,
  toWarningNotices,
} from '../budgets/limitNotices.ts';
import { isFirstStart } from '../setup/setUpSteps.ts';
import { findNewlyWaiting, toNotice, formatPageTitle } from './notices/waitingNotices.ts';
import { DashboardProvider, useDashboard, type Dashboard } from './dashboard.ts';
import { Help } from './keys/Help.tsx';
import { followKeys } from './keys/followKeys.ts';
import { notify, type Notice } from './notices/notifications.ts';
import { RoutedPage, namePage, preparePage } from './navigation/pages.tsx';
import { Palette } from './palette/Palette.tsx';
import { CardBoundary } from './problems/CardBoundary.tsx';
import { Problem } from './problems/Problem.tsx';
import { createLazyPart } from './signals/lazyPart.ts';
import { toRouteHash, toInboxHash, parseRoute, type Route } from './navigation/router.ts';
import { Sidebar } from './navigation/Sidebar.tsx';
import { Toasts } from './notices/Toasts.tsx';
import { useStore } from './useStore.ts';
import { ensureLayoutWorker } from '../chart/layoutWorker.ts';
import { formatTimeOfDay } from '../jobs/jobText.ts';
import { Icon } from './controls/Icon.tsx';
import { CloudBanner } from './connection/CloudBanner.tsx';
import { parseLoginCode, logIn } from './connection/login.ts';
import { TeamLoginBanner } from './connection/TeamLoginBanner.tsx';

/** Rarely opened: not among what every page loads. */
const StopAll = createLazyPart(async () => (await import('./notices/StopAll.tsx')).StopAll);

/** Reports that this browser is not logged in; the page stays as it is. */
function LoginBanner() {
  const { shell } = useDashboard();
  const needsLogin = useStore(shell, (context) => context.loginNeeded);
  const [problem, setProblem] = createSignal('');

  async function submit(event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> {
    event.preventDefault();
    const code = parseLoginCode(String(new FormData(event.currentTarget).get('link')));
    if (code === null) setProblem('This is not a link from `svc open`.');
    else if (await logIn(code).catch(() => false)) shell.trigger.loggedIn();
    else setProblem('This link has been used or has expired. Run `svc open` for a new one.');
  }

  return (
    <div role="status" class="page-notice">
      <Show when={needsLogin()}>
        <div class="page-notice-text">
          <Icon name="warn" />
          <p>
            <strong>This browser is not logged in.</strong> Run <code>svc open</code> in a terminal.
            The page then continues automatically and keeps what you typed.
          </p>
          <form class="row" onSubmit={(event) => void submit(event)}>
            <label class="visually-hidden" for="login-link">
              Link from svc open
            </label>
            <input
              id="login-link"
              name="link"
              required
              autocomplete="off"
              placeholder="Or paste the link it prints"
            />
            <button type="submit">Log in</button>
          </form>
          <Show when={problem()}>{(says) => <p>{says()}</p>}</Show>
        </div>
      </Show>
    </div>
  );
}

/** Reports a runner that does not answer. Lies over the page, which does not move. */
function ConnectionBanner(props: { tryNow: () => void }) {
  const { shell, team } = useDashboard();
  const since = useStore(shell, (context) => context.lostSince);
  return (
    <div role="status" class="connection">
      <Show when={since()}>
        {(at) => (
          <div class="connection-lost">
            <Icon name="plug" />
            <p class="grow">
              <Show
                when={team === null}
                fallback={
                  <>
                    <strong>
                      No connection to the control plane since {formatTimeOfDay(at())}.
                    </strong>{' '}
                    Jobs continue; this page reconnects.
                  </>
                }
              >
                <strong>No connection to the runner since {formatTimeOfDay(at())}.</strong> Start it
                with <code>svc start</code>; this page reconnects.
              </Show>
            </p>
            <button type="button" onClick={() => props.tryNow()}>
              Try now
            </button>
          </div>
        )}
      </Show>
    </div>
  );
}

/** In place of a page that broke, until the person goes to another one. */
function PageProblem(props: { error: unknown; reset: () => void; page: string }) {
  createEffect(
    on(
      () => props.page,
      () => props.reset(),
      { defer: true },
    ),
  );
  return (
    <div class="page">
      <Problem error={props.error} retry={() => props.reset()} />
    </div>
  );
}

/** How long the page rests before charts are prepared, ms. */
const REST_MS = 1_000;

/** Pages that draw at once. */
const drawsCharts = (route: Route): boolean =>
  route.page === 'machines' ||
  route.page === 'workflows' ||
  (route.page === 'job' && ['chart', 'campaign', 'journal'].includes(route.tab));

/**
 * Starts the layout worker before a chart is requested, so that no one waits for its start: at once
 * on the page of a chart, else when the page is idle. To be called once; the returned function
 * cancels it.
 */
function prepareCharts(route: Route): () => void {
  const prepare = () => {
    // Before the parts of the page that ask it: they load meanwhile.
    ensureLayoutWorker();
    const parts = [
      import('../chart/layoutEngine.ts').then((engine) => engine.rehearseLayout()),
      import('../chart/ChartView.tsx'),
    ];
    // A runner that is down serves no files; the page that needs them reports that.
    Promise.all(parts).catch(() => {});
  };
  if (drawsCharts(route)) {
    prepare();
    return () => {};
  }
  const timer = setTimeout(() => {
    if ('requestIdleCallback' in window) requestIdleCallback(prepare);
    else prepare();
  }, REST_MS);
  return () => clearTimeout(timer);
}

/** The page of the address, with everything around it. */
export function App(props: { dashboard: Dashboard; tryNow: () => void }) {
  const { shell, inbox, jobs, limits } = props.dashboard;
  const [route, setRoute] = createSignal(parseRoute(location.hash));
  const [isOpening, setIsOpening] = createSignal(false);
  const waitingItems = useStore(inbox, (context) => context.items);
  const count = useStore(inbox, (context) => context.total);
  const proposals = useStore(inbox, (context) => context.proposals);
  const isLoaded = useStore(inbox, (context) => context.loaded);
  const problem = useStore(inbox, (context) => context.problem);
  const knownJobs = useStore(jobs, (context) => context.known);
  const warnings = useStore(limits, (context) => context.warnings);
  const accounts = useStore(limits, (context) => context.accounts);
  const dialog = useStore(shell, (context) => context.dialog);
  const notifies = useStore(shell, (context) => context.notify);
  let main: HTMLElement | undefined;

  const skip = () => main?.focus();

  onMount(() => {
    let hops = 0;
    const go = () => {
      const next = parseRoute(location.hash);
      hops += 1;
      const mine = hops;
      const show = () => {
        if (mine !== hops) return;
        batch(() => {
          setIsOpening(false);
          setRoute(next);
        });
      };
      // The previous page stays until the next one can be shown.
      const preparation = preparePage(next);
      if (preparation === null) return show();
      setIsOpening(true);
      // Parts that could not be loaded show that in their own place.
      void preparation.then(show, show);
    };
    window.addEventListener('hashchange', go);
    onCleanup(() => window.removeEventListener('hashchange', go));
    onCleanup(followKeys(props.dashboard));
    onCleanup(prepareCharts(route()));
  });

  // The first page is the inbox while something waits. This is decided once, on arrival: later
  // changes must not replace a page.
  createEffect(() => {
    if (route().page !== 'home' || !(isLoaded() || problem())) return;
    if (count() > 0) return location.replace(toInboxHash(null));
    const leave = (page: 'setup' | 'jobs') => {
      if (untrack(route).page === 'home') location.replace(toRouteHash([page]));
    };
    if (props.dashboard.team !== null) return leave('jobs');
    // On a home where nothing is set up yet, the wizard comes first.
    void props.dashboard.client.config().then(
      ({ reply }) => leave(isFirstStart(reply.config) ? 'setup' : 'jobs'),
      () => leave('jobs'),
    );
  });

  const name = createMemo(() => namePage(route()));
  createEffect(() => {
    document.title = formatPageTitle(count(), name());
  });
  // Keyboard and screen reader users start at the new page, not behind the link of the old one.
  createEffect(
    // Runs only for a new name: a typed filter is part of the address, but must keep the focus.
    on(name, () => main?.focus({ preventScroll: true }), { defer: true }),
  );

  const notifyOfNew = (isRead: () => boolean, news: () => readonly Notice[]) => {
    let knownIds: Set<string> | null = null;
    createEffect(() => {
      if (!isRead()) return;
      if (notifies()) findNewlyWaiting(knownIds, news()).forEach(notify);
      knownIds = new Set(news().map(({ key }) => key));
    });
  };
  notifyOfNew(isLoaded, () => waitingItems().map(toNotice));
  notifyOfNew(
    () => accounts() !== null,
    () => [...toWarningNotices(warnings()), ...toAccountNotices(accounts() ?? [])],
  );
  // Budgets that had already stopped jobs are not news to a person who has just come.
  notifyOfNew(isLoaded, () => toBudgetStopNotices([...knownJobs().values()]));

  return (
    <DashboardProvider value={props.dashboard}>
      <button type="button" class="skip" onClick={skip}>
        Skip to content
      </button>
      <Sidebar route={route()} waiting={count()} proposals={proposals()} />
      <div class="beside">
        <ConnectionBanner tryNow={props.tryNow} />
        <CloudBanner />
        <Show when={props.dashboard.team} fallback={<LoginBanner />}>
          {(team) => <TeamLoginBanner team={team()} />}
        </Show>
        <main
          id="main"
          tabindex="-1"
          ref={main}
          classList={{ opening: isOpening() }}
          aria-busy={isOpening()}
        >
          <ErrorBoundary
            fallback={(error, reset) => <PageProblem error={error} reset={reset} page={name()} />}
          >
            <Suspense fallback={<p class="page muted">Loading …</p>}>
              <RoutedPage route={route()} />
            </Suspense>
          </ErrorBoundary>
        </main>
      </div>
      <Toasts />
      <Show when={dialog() === 'palette'}>
        <Palette route={route()} />
      </Show>
      <Show when={dialog() === 'stopAll'}>
        <CardBoundary>
          <Suspense>
            <StopAll />
          </Suspense>
        </CardBoundary>
      </Show>
      <Show when={dialog() === 'help'}>
        <Help />
      </Show>
    </DashboardProvider>
  );
}
