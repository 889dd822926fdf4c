import { SvcError } from '../../src/base/errors/errors.ts';
import { type ForgeAnswer, resolveForgeAnswer } from '../../src/host/setUp/resolveForgeAnswer.ts';
import { forgeStep, LOCAL } from '../../src/host/setUp/forgeStep.ts';
import type { SetUpFacts } from '../../src/host/setUp/step.ts';
import type { Io } from '../io.ts';
import { buildAgentAnswer } from './buildAgentAnswer.ts';
import type { AgentAnswer, GivenModel } from './modelFlags.ts';

/** What the flags say of model and forge; null = not given. */
export interface GivenAnswers extends GivenModel {
  scm: string | null;
  workspace: string | null;
  username: string | null;
  token: string | null;
  /** The person agrees that the token is taken from `gh` or `glab`. */
  takeToken: boolean;
  repoDir: string | null;
}

const FLAGS = [
  ['token', '--git-token'],
  ['workspace', '--git-workspace'],
  ['username', '--git-username'],
] as const;

/** Throws SvcError `bad-argument` for a forge that is not known or lacks its token. */
async function buildForgeAnswer(
  facts: SetUpFacts,
  answers: GivenAnswers,
  io: Pick<Io, 'fetch' | 'homeDir'>,
): Promise<ForgeAnswer> {
  const { scm, takeToken, repoDir } = answers;
  const flag = FLAGS.find(([name]) => answers[name] !== null)?.[1];
  const also = flag ?? (takeToken ? '--git-token-from-cli' : null);
  if (scm === null && also !== null)
    throw new SvcError('bad-argument', `${also} needs a forge. Name it with --scm.`);
  if (repoDir !== null && scm !== null && scm !== LOCAL)
    throw new SvcError(
      'bad-argument',
      `--repo-dir is a repository on this disk, and --scm ${scm} is another forge. Run svc init twice to have both.`,
    );
  if (scm === null) return { values: [], notes: [] };
  const choice = forgeStep.choices(facts).find(({ id }) => id === scm);
  if (!choice) {
    const forgeIds = forgeStep.choices(facts).map(({ id }) => id);
    throw new SvcError(
      'bad-argument',
      `No forge ${JSON.stringify(scm)} is known. Known: ${forgeIds.join(', ')}. Others are plugins: svc plugin install <package>.`,
    );
  }
  const settings = facts.manifests.find(({ id }) => id === scm)?.settings ?? {};
  const values: Record<string, string> = {};
  const unusedFlags: string[] = [];
  for (const [name, its] of FLAGS) {
    const value = answers[name];
    if (value === null) continue;
    if (!Object.hasOwn(settings, name))
      throw new SvcError('bad-argument', `${scm} has no setting ${name}: leave ${its} out.`);
    if (choice.values.some((one) => one.name === name)) values[name] = value;
    else unusedFlags.push(`${its} was not written: ${scm} does not use it.`);
  }
  if (scm === LOCAL) return { values: [], notes: [] };
  const token = choice.values.find(({ name }) => name === 'token');
  if (token?.required && !values.token && token.env === null && !takeToken) {
    const variable = settings.token?.env;
    const where = variable === undefined ? '' : `set ${variable}, or `;
    throw new SvcError(
      'bad-argument',
      `${scm} needs a token: ${where}give --git-token - and the token on standard input${choice.tokenFrom === null ? '' : `, or --git-token-from-cli to take that of ${choice.tokenFrom}`}.`,
    );
  }
  const { fetch, homeDir } = io;
  const context = { facts, homeDir, cwd: null, fetch };
  const answer = await resolveForgeAnswer({ choice: scm, values }, takeToken, context);
  return { values: answer.values, notes: [...unusedFlags, ...answer.notes] };
}

/** What the flags of model and forge write. Throws SvcError `bad-argument`, `config-invalid`. */
export async function buildFlagAnswers(
  facts: SetUpFacts,
  answers: GivenAnswers,
  io: Pick<Io, 'fetch' | 'homeDir'>,
): Promise<AgentAnswer> {
  const agent = await buildAgentAnswer(facts, answers, io);
  const host = await buildForgeAnswer(facts, answers, io);
  return {
    ...agent,
    values: [...agent.values, ...host.values],
    notes: [...agent.notes, ...host.notes],
  };
}
