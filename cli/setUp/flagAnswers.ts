import { keyPath } from '../../src/config/mergePatch.ts';
import { SvcError } from '../../src/lib/errors.ts';
import { type Chosen, chosen } from '../../src/setUp/chosen.ts';
import { hostAnswer } from '../../src/setUp/hostAnswer.ts';
import { hostStep } from '../../src/setUp/hostStep.ts';
import { MODEL_KEYS, modelStep, UNCHOSEN } from '../../src/setUp/modelStep.ts';
import type { SetUpChoice } from '../../src/schema/setUpSteps.ts';
import type { SetUpFacts } from '../../src/setUp/step.ts';
import type { Io } from '../io.ts';

/** What the flags say of model and code host; null = not given. */
export interface GivenAnswers {
  /** Executor of `--agent`. */
  agent: string | null;
  apiKey: string | null;
  /** Plugin id of `--scm`. */
  scm: string | null;
  workspace: string | null;
  username: string | null;
  token: string | null;
  /** The person agrees that the token is taken from `gh` or `glab`. */
  takeToken: boolean;
}

/** What flags write, what to say of it, and what has to be installed for the agent program. */
export interface FlagAnswers {
  values: Chosen[];
  notes: string[];
  /** A command line; null = nothing is missing. */
  install: string | null;
}

/** Executor of a key that comes without one. */
const BY_KEY = 'builtin';

const FLAGS = [
  ['token', '--git-token'],
  ['workspace', '--git-workspace'],
  ['username', '--git-username'],
] as const;

/** A key alone. Throws SvcError `bad-argument` where it is not known whose. */
function withKey(apiKey: string, present: string): Chosen[] {
  const name = present === UNCHOSEN ? BY_KEY : present;
  const key = MODEL_KEYS[name];
  if (key !== undefined)
    return [
      chosen(['llm', 'defaultProvider'], name),
      { ...chosen(keyPath(key), apiKey), secret: true },
    ];
  throw new SvcError(
    'bad-argument',
    `--api-key: llm.defaultProvider is ${name}, and svc does not know which of its settings holds a key. Write it with: svc config set plugins.installed.${name.split(':')[0]}.config.<setting> - < file`,
  );
}

/** Throws SvcError `bad-argument` for what the agent needs and no flag gives. */
function checkComplete({ id, values, saves }: SetUpChoice): void {
  const missing = values.filter(
    ({ required, saved, env, proposed }) => required && !saved && env === null && proposed === null,
  );
  if (missing.length === 0) return;
  const keys = missing.map(({ name }) => {
    const key = saves.find((one) => one.endsWith(`.${name}`)) ?? name;
    return `${key} <${name}>`;
  });
  throw new SvcError(
    'bad-argument',
    `--agent ${id} needs ${missing.map(({ name }) => name).join(', ')}. Set it first: svc config set ${keys.join(' ')}; or run svc init at a terminal.`,
  );
}

function agentAnswer(
  facts: SetUpFacts,
  { agent, apiKey }: GivenAnswers,
): Pick<FlagAnswers, 'values' | 'install'> {
  const present = facts.config.llm.defaultProvider;
  if (agent === null)
    return { values: apiKey === null ? [] : withKey(apiKey, present), install: null };
  const choice = modelStep.choices(facts).find(({ id }) => id === agent);
  if (choice) checkComplete(choice);
  const name = MODEL_KEYS[agent]?.split('.').at(-1);
  const key = apiKey === null || name === undefined ? {} : { [name]: apiKey };
  const values = modelStep.values(facts, { choice: agent, values: key });
  return { values, install: choice?.install ?? null };
}

/** Throws SvcError `bad-argument` for a code host that is not known or lacks its token. */
async function codeHostAnswer(
  facts: SetUpFacts,
  given: GivenAnswers,
  io: Pick<Io, 'fetch' | 'homeDir'>,
): Promise<Pick<FlagAnswers, 'values' | 'notes'>> {
  const { scm, takeToken } = given;
  const flag = FLAGS.find(([name]) => given[name] !== null)?.[1];
  const also = flag ?? (takeToken ? '--git-token-from-cli' : null);
  if (scm === null && also !== null)
    throw new SvcError('bad-argument', `${also} is of a code host. Name it with --scm.`);
  if (scm === null) return { values: [], notes: [] };
  const choice = hostStep.choices(facts).find(({ id }) => id === scm);
  if (!choice) {
    const known = hostStep.choices(facts).map(({ id }) => id);
    throw new SvcError(
      'bad-argument',
      `No code host ${JSON.stringify(scm)} is known. Known: ${known.join(', ')}. Others are plugins: svc plugin install <package>.`,
    );
  }
  const settings = facts.manifests.find(({ id }) => id === scm)?.settings ?? {};
  const values: Record<string, string> = {};
  const unused: string[] = [];
  for (const [name, its] of FLAGS) {
    const value = given[name];
    if (value === null) continue;
    if (!Object.hasOwn(settings, name))
      throw new SvcError('bad-argument', `${scm} has no setting ${name}: leave ${its} out.`);
    if (choice.values.some((one) => one.name === name)) values[name] = value;
    else unused.push(`${its} was not written: ${scm} does not use it.`);
  }
  // Its repositories are named one by one, in forges.local.repos.
  if (scm === 'local') return { values: [], notes: [] };
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
  const answer = await hostAnswer({ choice: scm, values }, takeToken, context);
  return { values: answer.values, notes: [...unused, ...answer.notes] };
}

/** What the flags of model and code host write. Throws SvcError `bad-argument`, `config-invalid`. */
export async function flagAnswers(
  facts: SetUpFacts,
  given: GivenAnswers,
  io: Pick<Io, 'fetch' | 'homeDir'>,
): Promise<FlagAnswers> {
  const agent = agentAnswer(facts, given);
  const host = await codeHostAnswer(facts, given, io);
  return { ...agent, ...host, values: [...agent.values, ...host.values] };
}
