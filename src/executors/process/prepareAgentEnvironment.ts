import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { buildAgentNetworkVariables } from '../../base/system/network/variables.ts';

/** The only variables of the runner's environment that agents get. */
const PASSED_ON = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'USER'] as const;

const DEFAULTS = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', USER: 'svc' };

const AGENT_NAME = 'svc agent';
const AGENT_EMAIL = 'agent@svc.invalid';

/** Git without the host's identity, credentials, hooks or prompts. */
const GIT = {
  GIT_AUTHOR_NAME: AGENT_NAME,
  GIT_AUTHOR_EMAIL: AGENT_EMAIL,
  GIT_COMMITTER_NAME: AGENT_NAME,
  GIT_COMMITTER_EMAIL: AGENT_EMAIL,
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

export interface AgentEnvironmentOptions {
  hostEnv: Readonly<Record<string, string | undefined>>;
  jobDir: string;
  /** Folder of the `svc` program; it comes first in PATH. */
  binDir: string;
  /** Further variables, which win; from the executor's settings, never secrets of the runner. */
  extra?: Readonly<Record<string, string>>;
}

/**
 * The complete environment of a job's agents: PATH, HOME, TMPDIR, TERM, the language, the time
 * zone, the user's name, git's variables, proxies without their login, and files of certificate
 * authorities. Creates HOME and TMPDIR (0700).
 */
export async function prepareAgentEnvironment({
  hostEnv,
  jobDir,
  binDir,
  extra = {},
}: AgentEnvironmentOptions): Promise<Record<string, string>> {
  const home = join(jobDir, 'home');
  const tmp = join(jobDir, 'tmp');
  await Promise.all([home, tmp].map((dir) => mkdir(dir, { recursive: true, mode: 0o700 })));
  const passedVariables = Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = hostEnv[name];
      return value ? [[name, value]] : [];
    }),
  );
  const base: Record<string, string> = {
    ...DEFAULTS,
    ...passedVariables,
    ...buildAgentNetworkVariables(hostEnv),
    ...GIT,
    HOME: home,
    TMPDIR: tmp,
    TERM: 'dumb',
    ...extra,
  };
  return { ...base, PATH: `${binDir}${delimiter}${base.PATH}` };
}
