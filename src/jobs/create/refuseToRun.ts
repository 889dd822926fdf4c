import { type FieldError, SvcError } from '../../base/errors/errors.ts';
import {
  type ExecutorKnowledge,
  joinWords,
  type StuckPhase,
  describeStuckPhases,
  listWantingExecutors,
} from '../../workflows/overlay/findStuckPhases.ts';
import type { SetUpAdvice, ExecutorChoice } from '../../contract/schema/runner/setUp.ts';

export interface RunAdvisor extends ExecutorKnowledge {
  /** What makes the missing executors and repository usable; never rejects. */
  advise(want: { wanting: readonly ExecutorChoice[]; repo: string | null }): Promise<SetUpAdvice>;
}

/** The last lines of the message: the one command, and other options on this machine. */
function describeSetUpWay(
  { command, inFolderOf, found, open, typed }: SetUpAdvice,
  stuck: readonly StuckPhase[],
): string[] {
  const here = found.length === 0 ? [] : [`Found on this machine: ${joinWords(found)}.`];
  if (command === null) {
    const [first] = stuck;
    return [
      ...here,
      ...(first
        ? [
            `Add \`command:\` to ${first.agent}, or remove provider from the phase ${first.phase} of ${first.workflowPath}.`,
          ]
        : []),
    ];
  }
  const nothing =
    stuck.length > 0 && found.length === 0
      ? [
          'Found on this machine: no agent and no model server (claude, opencode, codex, gemini; Ollama, LM Studio, llama.cpp, vLLM).',
        ]
      : here;
  const how = [
    inFolderOf === null ? '' : ` in the folder of the repository ${inFolderOf}`,
    open ? ', with your own values in place of <…>' : '',
    typed ? '; it reads the key from standard input (paste it, then Ctrl-D)' : '',
  ].join('');
  return [...nothing, `Run this${how}, then start the job again:`, `  ${command}`];
}

/** Why the repository in the params cannot be found; no errors = it can. */
export interface RepoProblem {
  /** Its slug, if it could be added as a repository on this disk. */
  slug: string | null;
  errors: readonly FieldError[];
  /** Other repositories are configured, so the name may be wrong. */
  othersAreKnown: boolean;
}

/**
 * Refuses a job that cannot run: names the phases or the repository, the reason, and the one
 * command that helps.
 */
export async function refuseToRun(
  runAdvisor: RunAdvisor,
  workflowPath: string,
  { stuck, repo }: { stuck: readonly StuckPhase[]; repo: RepoProblem },
): Promise<never> {
  const advice = await runAdvisor.advise({ wanting: listWantingExecutors(stuck), repo: repo.slug });
  const lines = [
    ...repo.errors.map(
      ({ pointer, message }) => `${pointer.replace('/params/', 'params.')} ${message}.`,
    ),
    ...describeStuckPhases(stuck, workflowPath),
    ...(stuck.length === 0 && repo.slug === null ? [] : describeSetUpWay(advice, stuck)),
  ];
  // A single wrong name is a mistake of the request; everything else is one of the set-up.
  const code = stuck.length === 0 && repo.othersAreKnown ? 'invalid' : 'cannot-run';
  throw new SvcError(code, `The job cannot run. ${lines.join('\n')}`, {
    errors: repo.errors,
    data: {
      phases: stuck.map(({ workflowPath: path, phase, agent, provider, why }) => ({
        workflowPath: path,
        phase,
        agent,
        provider,
        why,
      })),
      command: advice.command,
      found: advice.found,
    },
  });
}
