import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CI_FILE_PATTERNS } from '../../../src/policy/guardrails/ciFiles.ts';
import { createPathMatcher, fitsPath } from '../../../src/policy/guardrails/glob.ts';

const test = suite('files of CI');

const isCiFile = (path: string): boolean =>
  CI_FILE_PATTERNS.some((pattern) => fitsPath(pattern, path));

const KNOWN = `
.github/workflows/ci.yml .github/workflows/sub/x.sh .github/actions/build/action.yml tools/my-action/action.yaml .github/CODEOWNERS CODEOWNERS docs/CODEOWNERS
.github/dependabot.yml .github/dependabot.yaml .github/renovate.json .github/renovate.json5 .gitlab/renovate.json .github/settings.yml .github/mergify.yml
.gitlab-ci.yml .gitlab-ci.yaml sub/.gitlab-ci.yml ci/build.gitlab-ci.yml .gitlab/ci/test.yml .gitlab/CODEOWNERS .gitlab-ci/build.yml
.gitea/workflows/ci.yaml .forgejo/workflows/ci.yaml .build.yml .builds/linux.yml
.woodpecker/build.yaml .woodpecker/deep/er.yml .woodpecker.yml .woodpecker.yaml .drone.yml .drone.yaml .drone.star .drone.jsonnet .crow/x.yaml .vela.yml .harness/pipelines/x.yaml
bitbucket-pipelines.yml .bitbucket/CODEOWNERS
azure-pipelines.yml azure-pipelines.yaml azure-pipelines-release.yml ci/azure-pipelines.yml .azure-pipelines/x.yml .azuredevops/policies.yml .pipelines/x.yml
Jenkinsfile jenkinsfile deploy/Jenkinsfile Jenkinsfile.release release.Jenkinsfile Jenkinsfile-nightly jenkins-x.yml .lighthouse/jenkins-x/pullrequest.yaml
.circleci/config.yml .travis.yml appveyor.yml .appveyor.yml .buildkite/pipeline.yml buildkite.yml .semaphore/semaphore.yml codefresh.yml .codefresh/x.yml bitrise.yml .cirrus.yml .cirrus.star
wercker.yml codeship-steps.yml codeship-services.yml shippable.yml codemagic.yaml buddy.yml .buddy/x.yml .scrutinizer.yml eas.json .eas/workflows/x.yml ci_scripts/ci_post_clone.sh .space.kts
.teamcity/settings.kts bamboo-specs/bamboo.yml x.gocd.yaml screwdriver.yaml .onedev-buildspec.yml zuul.yaml .zuul.yaml zuul.d/x.yaml .zuul.d/x.yaml .prow.yaml .prow/x.yaml OWNERS pkg/OWNERS OWNERS_ALIASES .ci-operator.yaml
.taskcluster.yml taskcluster/kinds/x.yml .packit.yaml .tekton/pr.yaml .argo/x.yaml .argocd-source.yaml .argocd-source-app.yaml dagger.json .dagger/main.go Earthfile sub/Earthfile
cloudbuild.yaml cloudbuild.json cloudbuild-prod.yaml buildspec.yml buildspec.yaml buildspec-test.yml ci/buildspec.yml appspec.yml amplify.yml .codecatalyst/workflows/x.yaml
netlify.toml web/netlify.toml vercel.json web/vercel.json wrangler.toml render.yaml fly.toml railway.json nixpacks.toml heroku.yml Procfile .do/app.yaml firebase.json .readthedocs.yaml
renovate.json renovate.json5 .renovaterc .renovaterc.json .renovaterc.json5 .mergify.yml .mergify/config.yml bors.toml .kodiak.toml .policy.yml .dependabot/config.yml
.husky/pre-commit web/.husky/pre-push .githooks/x lefthook.yml .lefthook.toml lefthook-local.yml .config/lefthook.yaml lefthook.jsonc .lefthook/pre-push/x.sh .pre-commit-config.yaml .pre-commit-hooks.yaml .overcommit.yml .simple-git-hooks.json
.gitmodules .lfsconfig .devcontainer/devcontainer.json .devcontainer.json .gitpod.yml .vscode/tasks.json .envrc
.svc/workflows/job.md .claude/settings.json sub/.claude/settings.local.json .mcp.json
.GITHUB/Workflows/ci.yml .Woodpecker.YML
`;

test('what programs read to decide what runs is known, in any letters and where they read it (CFG-4)', () => {
  const paths = KNOWN.trim().split(/\s+/);
  assert.ok(paths.length > 150);
  assert.equal(
    paths.filter((path) => !isCiFile(path)),
    [],
  );
});

test('other files are not: sources, documentation, manifests of packages, texts of pull requests', () => {
  const others = `src/workflows/ci.yml docs/github-workflows.md .github/ISSUE_TEMPLATE/bug.md .github/pull_request_template.md .github/FUNDING.yml
    src/action.ts src/jenkins.ts package.json Makefile Dockerfile docs/azure-pipelines.md .gitignore .gitattributes src/render.ts config/vercel.ts.md tests/appveyor.py .vscode/settings.json src/owners.ts docs/lefthook.md`;
  assert.equal(others.trim().split(/\s+/).filter(isCiFile), []);
});

test('many patterns at once say the same as each alone, and do not take long', () => {
  const isOne = createPathMatcher(CI_FILE_PATTERNS);
  for (const path of KNOWN.trim().split(/\s+/)) assert.is(isOne(path), true, path);
  const others = Array.from(
    { length: 20_000 },
    (_, n) => `packages/p${n % 50}/src/deep/File${n}.tsx`,
  );
  const start = process.cpuUsage();
  assert.is(others.some(isOne), false);
  assert.ok(process.cpuUsage(start).user < 5_000_000);
});

test('each pattern is named once', () => {
  assert.is(new Set(CI_FILE_PATTERNS).size, CI_FILE_PATTERNS.length);
});

test.run();
