import { Match, Show, Switch } from 'solid-js';
import { createReading } from '../../shell/signals/createReading.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { Problem } from '../../shell/problems/Problem.tsx';
import { toJobHash } from '../../shell/navigation/router.ts';
import { readCoachMode } from './coachMode.ts';
import { NewJobForm } from './NewJobForm.tsx';
import { formatJobTitle } from '../jobText.ts';
import './newJob.css';

/** Where no forge is configured: how to get one. A job needs a repository. */
function NoForge() {
  return (
    <section class="section stack no-forge" aria-labelledby="no-forge">
      <h2 id="no-forge">No repositories yet</h2>
      <p>
        No forge is configured, so a job has no repository to work on. The{' '}
        <a href="#/setup?step=scm">setup</a> asks for one. Or, by hand, either
      </p>
      <ul>
        <li>
          serve a git repository of this disk:{' '}
          <code>svc config set forges.local.repos.shop ~/src/shop</code>, which takes effect
          immediately; or
        </li>
        <li>
          connect GitHub, GitLab or Bitbucket: add a token under{' '}
          <code>plugins.installed.github.config</code> in <code>config.json</code> of the home,
          restart the runner, and check it with <code>svc plugin healthcheck github</code>.
        </li>
      </ul>
    </section>
  );
}

/** A new job, or one like an earlier one with changes. */
export function NewJobPage(props: { from: string | null }) {
  const { client } = useDashboard();
  const [reading, { refetch }] = createReading(
    () => props.from ?? 'new',
    async () => {
      const [workflows, repos, forges, coached, earlier] = await Promise.all([
        client.workflows(),
        client.forgeRepos(),
        client.forges(),
        // An unreadable configuration does not prevent dispatching; being asked is the
        // safe choice.
        client.config().then(
          ({ reply }) => readCoachMode(reply).enabled,
          () => true,
        ),
        props.from === null ? null : client.job(props.from),
      ]);
      const before = earlier?.params['interactive'];
      return {
        workflows,
        repos,
        forges,
        earlier,
        interactive: typeof before === 'boolean' ? before : coached,
      };
    },
  );
  return (
    <div class="page dispatch">
      <div class="page-head">
        <h1>{props.from === null ? 'New job' : 'Run again with changes'}</h1>
      </div>
      <Switch>
        <Match when={reading.error}>
          <Problem error={reading.error} retry={() => void refetch()} />
        </Match>
        <Match when={reading.latest?.workflows.length === 0}>
          <div class="empty">
            <h2>No workflows</h2>
            <p>
              A workflow is a markdown file in the team's overlay,{' '}
              <code>workflows/&lt;name&gt;.md</code>. Set <code>tenant.overlay</code> in the
              configuration, or restore the base layer.
            </p>
            <a class="button" href="#/workflows">
              Workflows
            </a>
          </div>
        </Match>
        <Match when={!reading.latest}>
          <p class="muted">Loading …</p>
        </Match>
        {/* Another job, or none, is another form: what was typed into the one before does not belong to it. */}
        <Match when={reading.latest} keyed>
          {(loadedForm) => (
            <>
              <Show when={loadedForm.earlier}>
                {(earlier) => (
                  <p class="muted">
                    A copy; the original stays as it is:{' '}
                    <a href={toJobHash(earlier().id)}>
                      <bdi>{formatJobTitle(earlier())}</bdi>
                    </a>
                  </p>
                )}
              </Show>
              <Show
                when={
                  loadedForm.repos.length === 0 && loadedForm.forges.every(({ remote }) => !remote)
                }
              >
                <NoForge />
              </Show>
              <NewJobForm {...loadedForm} />
            </>
          )}
        </Match>
      </Switch>
    </div>
  );
}
