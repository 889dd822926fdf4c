import type { SetUpStepName } from '../../src/base/settings/setUpSteps.ts';
import type { ForgeAnswer } from '../../src/host/setUp/resolveForgeAnswer.ts';
import { forgeStep, LOCAL } from '../../src/host/setUp/forgeStep.ts';
import { modelStep, UNCHOSEN } from '../../src/host/setUp/modelStep.ts';
import type { SetUpFacts } from '../../src/host/setUp/step.ts';
import type { Io } from '../io.ts';
import { proposeAgent } from './buildAgentAnswer.ts';
import type { GivenAnswers } from './buildFlagAnswers.ts';
import { buildRepositoryAnswer } from './buildRepositoryAnswer.ts';

export interface ProposedContext extends GivenAnswers {
  /** No person is asked, so that what would be proposed is taken. */
  proposes: boolean;
  flags: { yes: boolean; skip?: readonly SetUpStepName[] | undefined };
}

/** Whether a step is to be answered although no flag names it; one that was skipped only with --yes. */
const shouldProposeStep = (
  { config }: SetUpFacts,
  { proposes, flags }: ProposedContext,
  step: 'llm' | 'scm',
): boolean =>
  proposes && !flags.skip?.includes(step) && (flags.yes || !config.setup.skipped.includes(step));

/**
 * What Enter takes at a terminal, for when no person is asked: an agent that needs no key, and the
 * repository around the present folder. `--repo-dir` and `--scm local` name the repository
 * themselves. Throws SvcError `bad-argument`.
 */
export async function proposeAnswers(
  facts: SetUpFacts,
  context: ProposedContext,
  io: Pick<Io, 'cwd' | 'homeDir' | 'fetch'>,
): Promise<ForgeAnswer> {
  const { agent, apiKey, model, baseUrl, scm, repoDir } = context;
  const isNamed = [agent, apiKey, model, baseUrl].some((one) => one !== null);
  const isUnchosen = facts.config.llm.defaultProvider === UNCHOSEN;
  const proposal =
    !isNamed && isUnchosen && shouldProposeStep(facts, context, 'llm') ? proposeAgent(facts) : null;
  const agentValues =
    proposal === null ? [] : modelStep.values(facts, { choice: proposal.id, values: {} });
  const hasOtherHost = forgeStep.choices(facts).some(({ id, current }) => id !== LOCAL && current);
  const isNeeded = scm === LOCAL && context.proposes;
  const isHere = scm === null && !hasOtherHost && shouldProposeStep(facts, context, 'scm');
  const repository =
    repoDir !== null || isNeeded || isHere
      ? await buildRepositoryAnswer(facts, { repoDir, isNeeded }, io)
      : { values: [], notes: [] };
  return { values: [...agentValues, ...repository.values], notes: repository.notes };
}
