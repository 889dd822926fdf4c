export interface CiFiles {
  /** Name for people. */
  kind: string;
  /** What they decide. */
  decides: string;
  /**
   * Patterns for `fitsPath`: one without a slash is a name in any folder, one with a slash begins
   * at the top folder; case is ignored.
   */
  patterns: readonly string[];
}

/** Splits a list; `y(a)ml` stands for both endings of YAML. */
const splitCiFileNames = (list: string): string[] =>
  list
    .trim()
    .split(/\s+/)
    .flatMap((name) =>
      name.includes('y(a)ml')
        ? [name.replace('y(a)ml', 'yml'), name.replace('y(a)ml', 'yaml')]
        : [name],
    );

export const CI_FILES: readonly CiFiles[] = [
  {
    kind: 'GitHub',
    decides: 'what GitHub Actions runs, and who has to approve',
    patterns: splitCiFileNames(`
      .github/workflows/** .github/actions/** action.y(a)ml .github/codeql/**
      .github/scripts/** .github/settings.y(a)ml .github/rulesets/**
    `),
  },
  {
    kind: 'GitLab',
    decides: 'what GitLab CI runs; files that it includes are usually named so too',
    patterns: splitCiFileNames(`
      .gitlab-ci.y(a)ml *.gitlab-ci.y(a)ml .gitlab-ci/** .gitlab-ci.d/** .gitlab/**
    `),
  },
  {
    kind: 'Forgejo, Gitea and SourceHut',
    decides: 'what their actions and builds run',
    patterns: splitCiFileNames(`
      .forgejo/** .gitea/** .build.y(a)ml .builds/**
    `),
  },
  {
    kind: 'Woodpecker, Drone, Crow, Vela and Harness',
    decides: 'what their pipelines run',
    patterns: splitCiFileNames(`
      .woodpecker.y(a)ml .woodpecker/** .drone.y(a)ml .drone.star .drone.jsonnet .drone/**
      .crow.y(a)ml .crow/** .vela.y(a)ml .vela.star .harness/**
    `),
  },
  {
    kind: 'Bitbucket',
    decides: 'what its pipelines run, and who has to approve',
    patterns: splitCiFileNames(`
      bitbucket-pipelines.y(a)ml .bitbucket/**
    `),
  },
  {
    kind: 'Azure Pipelines',
    decides: 'what it runs; templates are usually in one of these folders',
    patterns: splitCiFileNames(`
      azure-pipelines*.y(a)ml azure-pipelines/** .azure-pipelines/** .azuredevops/**
      .azure/pipelines/** .pipelines/** .vsts-ci.y(a)ml
    `),
  },
  {
    kind: 'Jenkins and Jenkins X',
    decides: 'what their jobs run',
    patterns: splitCiFileNames(`
      Jenkinsfile Jenkinsfile.* Jenkinsfile-* Jenkinsfile_* *.Jenkinsfile *-Jenkinsfile
      .jenkins/** jenkins-x*.yml .lighthouse/**
    `),
  },
  {
    kind: 'Hosted CI services',
    decides: 'what they run',
    patterns: splitCiFileNames(`
      .circleci/** circle.yml .travis.y(a)ml .travis/** appveyor.y(a)ml .appveyor.y(a)ml
      .appveyor/** .buildkite/** buildkite/** buildkite.y(a)ml buildkite.json .semaphore/**
      codefresh.y(a)ml .codefresh/** bitrise.y(a)ml .bitrise.y(a)ml .bitrise/** .cirrus.y(a)ml
      .cirrus.star wercker.y(a)ml codeship-services.* codeship-steps.* shippable.y(a)ml
      codemagic.y(a)ml buddy.y(a)ml .buddy/** .scrutinizer.y(a)ml .magnum.y(a)ml
      .peakflow.y(a)ml .space.kts .space/** ci_scripts/** .eas/** eas.json
    `),
  },
  {
    kind: 'CI servers of your own',
    decides: 'what they run, and with Prow who has to approve',
    patterns: splitCiFileNames(`
      .teamcity/** bamboo-specs/** bamboo.y(a)ml *.gocd.y(a)ml *.gocd.json *.gopipeline.json
      .gocd/** .concourse/** screwdriver.y(a)ml .onedev-buildspec.y(a)ml .agola/** zuul.y(a)ml
      .zuul.y(a)ml zuul.d/** .zuul.d/** .prow.y(a)ml .prow/** OWNERS OWNERS_ALIASES
      .ci-operator.y(a)ml .taskcluster.y(a)ml taskcluster/** .packit.y(a)ml packit.y(a)ml
      garnix.y(a)ml
    `),
  },
  {
    kind: 'Pipelines in Kubernetes and containers',
    decides: 'what Tekton, Argo, Flux, Dagger and Earthly run or deploy',
    patterns: splitCiFileNames(`
      .tekton/** .argo/** .argocd/** .argocd-source*.yaml .argo-ci/** .flux.y(a)ml dagger.json
      .dagger/** dagger.cue Earthfile
    `),
  },
  {
    kind: 'Builds of clouds',
    decides: 'what Google Cloud Build, AWS CodeBuild, CodeDeploy, CodeCatalyst and Amplify run',
    patterns: splitCiFileNames(`
      cloudbuild*.y(a)ml cloudbuild*.json *.cloudbuild.yaml .cloudbuild/** clouddeploy.y(a)ml
      buildspec*.y(a)ml *.buildspec.yml appspec.y(a)ml appspec.json .codecatalyst/**
      amplify.y(a)ml .ebextensions/** .platform/**
    `),
  },
  {
    kind: 'Builds of sites and apps',
    decides:
      'the commands of builds at Netlify, Vercel, Cloudflare, Render, Fly, Railway, Heroku, DigitalOcean, Azure, Firebase and Read the Docs',
    patterns: splitCiFileNames(`
      netlify.toml .netlify/** vercel.json vercel.ts now.json .vercel/** wrangler.toml
      wrangler.json wrangler.jsonc render.y(a)ml fly.toml railway.json railway.toml
      nixpacks.toml heroku.y(a)ml Procfile .do/** staticwebapp.config.json azure.y(a)ml
      .deployment firebase.json apphosting*.yaml .readthedocs.y(a)ml readthedocs.y(a)ml
    `),
  },
  {
    kind: 'Bots',
    decides: 'what Dependabot, Renovate, Mergify, bors and others change, approve and merge',
    patterns: splitCiFileNames(`
      .github/dependabot.y(a)ml .dependabot/** renovate.json renovate.json5 renovate.jsonc
      .renovaterc .renovaterc.* .mergify.y(a)ml .github/mergify.y(a)ml .mergify/**
      .kodiak.toml bors.toml .bulldozer.y(a)ml .policy.y(a)ml .scala-steward.conf .pyup.y(a)ml
      .depfu.y(a)ml .whitesource .snyk
    `),
  },
  {
    kind: 'Owners of code',
    decides: 'who has to approve a change',
    patterns: splitCiFileNames(`
      CODEOWNERS CODEOWNERS.toml
    `),
  },
  {
    kind: 'Hooks of git',
    decides: 'what runs on the machine of each developer at a commit, push or checkout',
    patterns: splitCiFileNames(`
      **/.husky/** .huskyrc* **/.githooks/** **/.git-hooks/** **/githooks/** lefthook.y(a)ml
      .lefthook.y(a)ml lefthook-local.y(a)ml .lefthook-local.y(a)ml lefthook.toml
      .lefthook.toml lefthook-local.toml .lefthook-local.toml lefthook.json .lefthook.json
      lefthook-local.json .lefthook-local.json lefthook.jsonc .lefthook.jsonc
      lefthook-local.jsonc .lefthook-local.jsonc .lefthook/** .lefthook-local/**
      .pre-commit-config.y(a)ml .pre-commit-hooks.y(a)ml prek.toml .overcommit.y(a)ml
      .simple-git-hooks.* simple-git-hooks.* captainhook.json grumphp.y(a)ml hk.pkl
      .gitmodules .lfsconfig
    `),
  },
  {
    kind: 'Environments of developers',
    decides: 'what runs when a developer opens the folder',
    patterns: splitCiFileNames(`
      **/.devcontainer/** .devcontainer.json .gitpod.y(a)ml .gitpod.Dockerfile .ona/** .idx/**
      **/.vscode/tasks.json .envrc
    `),
  },
  {
    kind: 'svc and agents',
    decides: 'what svc and agent programs may do and run',
    patterns: splitCiFileNames(`
      .svc/** **/.claude/settings*.json **/.claude/hooks/** .mcp.json
    `),
  },
];

export const CI_FILE_PATTERNS: readonly string[] = CI_FILES.flatMap(({ patterns }) => patterns);
