/** Where no forge is configured: how to get one. A job needs a repository. */
export function NoForge() {
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
