import { loadSettings } from '../../src/host/config/settings/loadSettings.ts';
import type { SetUpView } from '../../src/contract/schema/runner/setUpSteps.ts';
import { checkAgents } from '../doctor/agents.ts';
import type { Io } from '../io.ts';
import { findPackageRoot } from '../findPackageRoot.ts';

export interface InitStep {
  command: string;
  why: string;
}

export interface SetUpProgress {
  /** What has to be installed for the chosen agent program; null = nothing. */
  install: string | null;
  view: SetUpView;
  job: string | null;
}

/** The first job on a repository of this home, or the command that makes one known. */
function listFirstJobSteps({ view, job }: SetUpProgress): InitStep[] {
  if (job !== null) return [];
  const [repo] = view.repositories;
  const hasHost = view.steps.some(({ step, state }) => step === 'scm' && state === 'saved');
  if (!hasHost)
    return [
      {
        command: 'svc init --repo-dir <folder>',
        why: 'For a git repository on this disk. A forge: svc init --scm github --git-token -',
      },
    ];
  return [
    {
      command: `svc plan --repo ${repo ?? '<owner/name>'} "<what is to be done>" --dispatch`,
      why: 'Your first job: a model looks at the repository, proposes the job, and svc starts it when you agree.',
    },
  ];
}

export async function listNextSteps(io: Io, soFar: SetUpProgress): Promise<InitStep[]> {
  const { settings } = await loadSettings({
    env: io.env,
    homeDir: io.homeDir,
    flags: {},
    packageRoot: findPackageRoot(import.meta.url),
  });
  const agents = await checkAgents(settings, io.env);
  const agent = agents.status === 'ok' ? null : (agents.fix ?? null);
  const { install, job } = soFar;
  return [
    ...(install === null ? [] : [{ command: install, why: 'Installs the agent program.' }]),
    ...(agent === null ? [] : [{ command: agent, why: 'Jobs need a model.' }]),
    { command: 'svc doctor', why: 'Checks this machine and the configuration.' },
    ...(job === null
      ? [{ command: 'svc start', why: 'Starts the runner and its dashboard.' }]
      : []),
    ...listFirstJobSteps(soFar),
  ];
}
