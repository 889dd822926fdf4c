import { systemClock } from '../../base/time/clock.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { openRepository } from '../../git/openRepository.ts';
import { resolveUserPath } from '../config/home/paths.ts';
import { toChosenValue, type ChosenValue } from './chosenValues.ts';
import { forgeStep, LOCAL } from './forgeStep.ts';
import type { Answer, SetUpFacts } from './step.ts';
import { checkToken, resolveServerHost } from './checkToken.ts';
import { execFile } from 'node:child_process';

/** Longest wait for a program that is asked for its token, ms. */
const ASK_MS = 5_000;

/** What a program needs to find its own login, and nothing else of the environment. */
const PASSED = [
  'PATH',
  'HOME',
  'XDG_CONFIG_HOME',
  'GH_CONFIG_DIR',
  'GH_TOKEN',
  'GLAB_CONFIG_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
];

const ARGUMENTS: Readonly<Record<string, (host: string) => string[]>> = {
  gh: (host) => ['auth', 'token', '--hostname', host],
  glab: (host) => ['config', 'get', 'token', '--host', host],
};

/**
 * The token that `gh` or `glab` has for a server, which only a person's consent allows to ask for.
 * Throws SvcError `bad-argument` where the program has none.
 */
async function askProgramToken(
  { name, path }: { name: string; path: string },
  host: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const passedVariables = Object.fromEntries(
    PASSED.flatMap((key) => (env[key] ? [[key, env[key]]] : [])),
  );
  const output = await new Promise<string>((resolve) => {
    const args = ARGUMENTS[name]?.(host) ?? [];
    // Its error output may hold anything, so it is not repeated.
    execFile(path, args, { env: passedVariables, timeout: ASK_MS }, (error, stdout) =>
      resolve(error ? '' : stdout.trim()),
    );
  });
  if (/^\S+$/.test(output)) return output;
  throw new SvcError(
    'bad-argument',
    `${name} has no token for ${host}. Log in with: ${name} auth login --hostname ${host}; or give a token.`,
  );
}

export interface ForgeAnswerContext {
  facts: SetUpFacts;
  homeDir: string;
  /** What a relative folder counts from; null = a folder has to be absolute. */
  cwd: string | null;
  fetch: typeof globalThis.fetch;
}

export interface ForgeAnswer {
  values: ChosenValue[];
  notes: string[];
}

/** Throws SvcError `bad-argument` for a folder that is not in a git repository. */
function resolveRepositoryFolder(folder: string, { cwd, homeDir }: ForgeAnswerContext): string {
  if (cwd === null && !/^(\/|~(\/|$))/.test(folder))
    throw new SvcError('bad-argument', `Give the absolute path of the folder, not ${folder}.`);
  const path = resolveUserPath(folder, cwd ?? '/', homeDir);
  try {
    return openRepository(path).path;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    throw new SvcError('bad-argument', error.message.replace(/ See forges\.local\.repos.*$/s, ''));
  }
}

/** Throws SvcError `config-invalid` for what the forge itself refuses. No network is used. */
async function checkSettings(id: string, config: Readonly<Record<string, unknown>>): Promise<void> {
  const { findForgeProblems } = await import('../../plugins/builtInForges.ts');
  const [result] = await findForgeProblems({ [id]: { enabled: true, config } }, systemClock);
  if (result?.problem) throw new SvcError('config-invalid', result.problem);
}

const findChosenSetting = (values: readonly ChosenValue[], name: string): ChosenValue | undefined =>
  values.find(({ path }) => path[3] === 'config' && path[4] === name);

/** Throws SvcError `bad-argument` where no program that was found has a token of this forge. */
async function takeProgramToken(
  { facts }: ForgeAnswerContext,
  { choice, values }: Answer,
): Promise<Answer> {
  const name = forgeStep.choices(facts).find(({ id }) => id === choice)?.tokenFrom;
  const program = facts.programs.find((one) => one.name === name);
  if (!program)
    throw new SvcError(
      'bad-argument',
      `No program that has a token of ${choice} was found: gh for github, glab for gitlab. Give the token itself.`,
    );
  const storedBaseUrl = facts.config.plugins.installed[choice]?.config?.baseUrl;
  const baseUrl = values.baseUrl || (typeof storedBaseUrl === 'string' ? storedBaseUrl : '');
  const token = await askProgramToken(program, resolveServerHost(choice, baseUrl), facts.hostEnv);
  return { choice, values: { ...values, token } };
}

/**
 * Works out an answer to the step of the forge: looks at the folder, takes the token from `gh`
 * or `glab` with the person's consent, and asks the forge what the token may do. Throws SvcError
 * `bad-argument` and `config-invalid`.
 */
export async function resolveForgeAnswer(
  givenAnswer: Answer,
  takeToken: boolean,
  context: ForgeAnswerContext,
): Promise<ForgeAnswer> {
  const { facts, fetch } = context;
  const { choice, values } = givenAnswer;
  if (choice === LOCAL) {
    const folder = values.folder?.trim() ?? '';
    const whole = folder === '' ? '' : resolveRepositoryFolder(folder, context);
    return {
      values: forgeStep.values(facts, { choice, values: { ...values, folder: whole } }),
      notes: [],
    };
  }
  const answer = takeToken ? await takeProgramToken(context, givenAnswer) : givenAnswer;
  const chosenValues = forgeStep.values(facts, answer);
  const storedConfig = facts.config.plugins.installed[choice]?.config ?? {};
  const own = Object.fromEntries(
    chosenValues.flatMap(({ path, value }) => (path[3] === 'config' ? [[path[4], value]] : [])),
  );
  const all: Record<string, unknown> = { ...storedConfig, ...own };
  await checkSettings(choice, all);
  const token = findChosenSetting(chosenValues, 'token')?.value;
  if (typeof token !== 'string') return { values: chosenValues, notes: [] };
  const baseUrl = typeof all.baseUrl === 'string' ? all.baseUrl : '';
  const { account, isPerson, notes } = await checkToken(choice, { token, baseUrl, fetch });
  // Who is logged in to the program of a forge is a person.
  const isOfPerson = isPerson ?? takeToken;
  if (!isOfPerson || storedConfig.selfIsPerson !== undefined)
    return { values: chosenValues, notes };
  const key = ['plugins', 'installed', choice, 'config', 'selfIsPerson'];
  return {
    values: [...chosenValues, toChosenValue(key, true)],
    notes: [
      `The token belongs to ${account === null ? 'an account' : `the account ${account}`}, which a person may also use: ${key.join('.')} is set to true, so that this person's comments wake jobs. If the account is for svc alone, set it to false.`,
      ...notes,
    ],
  };
}
