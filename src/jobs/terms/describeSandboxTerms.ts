import type { NewJob } from '../../policy/budgets/deriveNewJobFacts.ts';
import { toExecutorId, resolvePhaseModel } from '../../workflows/definition/resolvePhaseModel.ts';
import { SANDBOX_TEXT } from '../../base/agents/sandboxProfiles.ts';
import type { Sandboxes } from '../../executors/sandbox/sandboxes.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';

interface SandboxDeps {
  settings: Pick<Settings, 'llm' | 'runner'>;
  sandboxes: Pick<Sandboxes, 'refusal' | 'probe'>;
}

const listPhaseExecutors = ({ workflow }: NewJob, { llm }: SandboxDeps['settings']): string[] => [
  ...new Set(
    workflow.phases
      .filter(({ agent }) => agent !== null)
      .map((phase) => toExecutorId(resolvePhaseModel(llm, phase).provider)),
  ),
];

/** Refuses a job that must be confined but cannot be. Throws SvcError `cannot-run`. */
export async function refuseUnconfined(
  { settings, sandboxes }: SandboxDeps,
  job: NewJob,
): Promise<void> {
  const refusal = await sandboxes.refusal(settings.runner, listPhaseExecutors(job, settings));
  if (refusal) throw refusal;
}

/** What confines an unattended job, and which hosts it may reach; one sentence each. */
export async function describeSandboxTerms({
  settings,
  sandboxes,
}: SandboxDeps): Promise<string[]> {
  const { profile, lacks } = await sandboxes.probe(settings.runner);
  if (profile === null)
    return [
      `No sandbox: its agents can read everything that you can, and connect to any host (${lacks}). svc doctor shows how to change this.`,
    ];
  const hosts = settings.runner.sandboxHosts.join(', ');
  return [
    `Sandbox ${profile}: ${SANDBOX_TEXT[profile]}.`,
    ...(profile === 'runtime'
      ? [
          `Allowed hosts: those of its models and tool servers${hosts === '' ? '' : `, and ${hosts}`}.`,
        ]
      : []),
  ];
}
