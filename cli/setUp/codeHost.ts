import type { Config } from '../../src/config/configSchema.ts';
import type { Env } from '../../src/config/env.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { SvcError } from '../../src/lib/errors.ts';
import type { PluginManifest } from '../../src/schema/plugin.ts';
import type { Prompt } from './prompt.ts';
import { type Chosen, chosen } from './starter.ts';

/** What was given of a code host. */
export interface GivenHost {
  /** Plugin id; null = none was named. */
  id: string | null;
  workspace: string | null;
  username: string | null;
  token: string | null;
}

export interface HostContext {
  config: Config;
  /** Every forge that can be chosen. */
  forges: readonly PluginManifest[];
  env: Env;
  prompt: Prompt | null;
}

type Name = 'workspace' | 'username' | 'token';
const FLAGS: readonly (readonly [name: Name, flag: string])[] = [
  ['token', '--git-token'],
  ['workspace', '--git-workspace'],
  ['username', '--git-username'],
];

/** How the description of a setting begins that only older configurations still have. */
const UNUSED = 'Not used';

/** Asks only where none is configured. */
async function askWhich({ config, forges, prompt }: HostContext): Promise<string | null> {
  const ids = forges.map(({ id }) => id).filter((id) => id !== 'local');
  if (prompt === null || ids.some((id) => Object.hasOwn(config.plugins.installed, id))) return null;
  for (;;) {
    const answer = await prompt.text(`Code host: none, ${ids.join(', ')} [none]:`);
    if (answer === '' || answer === 'none') return null;
    if (ids.includes(answer)) return answer;
    prompt.say('That is none of them.');
  }
}

function forgeOf(id: string, forges: readonly PluginManifest[]): PluginManifest {
  const found = forges.find((one) => one.id === id);
  if (found) return found;
  throw new SvcError(
    'bad-argument',
    `No code host ${JSON.stringify(id)} is known. Known: ${forges.map((one) => one.id).join(', ')}. Others are plugins: svc plugin install <package>.`,
  );
}

/** The token that the environment holds, or that is typed; null = none. */
async function tokenOf(
  { id, settings }: PluginManifest,
  { env, prompt }: HostContext,
): Promise<Pick<Chosen, 'value' | 'from'> | null> {
  const variable = settings?.token?.env;
  const held = variable === undefined ? undefined : env[variable]?.trim();
  if (variable !== undefined && held) return { value: held, from: variable };
  const typed = await prompt?.secret(`Token for ${id} (not shown):`);
  if (typed === undefined) {
    const where = variable === undefined ? '' : `set ${variable}, or `;
    throw new SvcError(
      'bad-argument',
      `${id} needs a token: ${where}give --git-token - and the token on standard input.`,
    );
  }
  return typed === '' ? null : { value: typed, from: null };
}

/** Throws SvcError `config-invalid` for what the forge itself refuses. No network is used. */
async function check(id: string, config: Readonly<Record<string, unknown>>): Promise<void> {
  const { forgeProblems } = await import('../../src/plugins/builtInForges.ts');
  const [found] = await forgeProblems({ [id]: { enabled: true, config } }, systemClock);
  if (found?.problem) throw new SvcError('config-invalid', found.problem);
}

/**
 * The settings of the code host that was named or chosen; empty without one. Throws SvcError
 * `bad-argument` for a code host that is not known or lacks its token, and `config-invalid`.
 */
export async function codeHost(given: GivenHost, context: HostContext): Promise<Chosen[]> {
  const { config, forges, prompt } = context;
  const asked = given.id === null && FLAGS.every(([name]) => given[name] === null);
  const id = given.id ?? (asked ? await askWhich(context) : null);
  if (id === null) {
    const flag = FLAGS.find(([name]) => given[name] !== null)?.[1];
    if (flag === undefined) return [];
    throw new SvcError('bad-argument', `${flag} is of a code host. Name it with --scm.`);
  }
  const forge = forgeOf(id, forges);
  const settings = forge.settings ?? {};
  const entry = config.plugins.installed[id];
  const stored = entry?.config ?? {};
  const place = ['plugins', 'installed', id];
  const found: Chosen[] = entry?.enabled === false ? [chosen([...place, 'enabled'], true)] : [];
  for (const [name, flag] of FLAGS) {
    const at = [...place, 'config', name];
    const setting = settings[name];
    const value = given[name];
    if (value !== null && setting === undefined)
      throw new SvcError('bad-argument', `${id} has no setting ${name}: leave ${flag} out.`);
    if (value !== null) found.push({ ...chosen(at, value), secret: setting?.secret === true });
    // What it has works without one: GitHub takes an app as well.
    else if (setting === undefined || Object.keys(stored).length > 0) continue;
    else if (name === 'token') {
      const token = await tokenOf(forge, context);
      if (token === null) {
        prompt?.say(`Without a token ${id} is left out.`);
        return [];
      }
      found.push({ path: at, secret: true, ...token });
    } else if (prompt && !setting.description.startsWith(UNUSED)) {
      const typed = await prompt.text(`${setting.description.replace(/\.$/, '')} [none]:`);
      if (typed !== '') found.push(chosen(at, typed));
    }
  }
  const own = found.flatMap(({ path, value }) => (path[3] === 'config' ? [[path[4], value]] : []));
  await check(id, { ...stored, ...Object.fromEntries(own) });
  return found;
}
