import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { resolveUserPath } from '../../../src/host/config/home/paths.ts';
import { runGit } from '../../../src/git/runGit.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';

export interface RunRepository {
  slug: string;
  /** Forge that was named or found; null = the runner finds it by the slug. */
  forge: string | null;
  /** Folder on this disk where it is of the local forge; null = it is elsewhere. */
  path: string | null;
  /** What stays the same wherever it is: its first commit, or forge and slug. */
  identity: string;
}

export interface RunSite {
  forge: string;
  /** Without a slash at its end. */
  web: string;
}

const LOCAL = 'local';

/** A text that looks like a path is one; everything else is a slug. */
const looksLikePath = (argument: string): boolean => /^(\.|\/|~)/.test(argument);

const refuseRepository = (message: string): never => {
  throw new SvcError('bad-argument', message);
};

const readGitLine = async (cwd: string, ...args: string[]): Promise<string | null> => {
  const { stdout, exitCode } = await runGit(args, { cwd, answers: [1, 2, 128] });
  return exitCode === 0 ? stdout.trim() : null;
};

/** `https://host/owner/name.git` and `git@host:owner/name.git` as host and path. */
function parseRemoteAddress(remote: string): { host: string; path: string } | null {
  const scp = /^(?:[^@/]+@)?([^/:]+):(?!\/\/)(.+)$/.exec(remote);
  const [, host, path] = scp ?? [];
  const url = URL.canParse(remote) && !scp ? new URL(remote) : null;
  const parts = url ? { host: url.host, path: url.pathname } : { host, path };
  if (!parts.host || !parts.path) return null;
  return { host: parts.host, path: parts.path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '') };
}

/** The repository of a remote at one of the sites; null = at none of them. */
export function findSiteRepository(
  remote: string | null,
  sites: readonly RunSite[],
): { forge: string; slug: string } | null {
  const parts = remote === null ? null : parseRemoteAddress(remote);
  if (parts === null) return null;
  for (const { forge, web } of sites) {
    const { host, pathname } = new URL(web);
    const below = pathname.replace(/^\/|\/$/g, '');
    const prefix = below === '' ? '' : `${below}/`;
    if (host === parts.host && parts.path.startsWith(prefix))
      return { forge, slug: parts.path.slice(prefix.length) };
  }
  return null;
}

const deriveSlug = (path: string): string =>
  basename(path)
    .replace(/\.git$/, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 100) || 'repository';

async function findRepositoryTop(path: string): Promise<string> {
  const stats = await stat(path).catch(() => null);
  if (!stats?.isDirectory()) return refuseRepository(`--repo: ${path} is not a folder.`);
  const bare = await readGitLine(path, 'rev-parse', '--is-bare-repository');
  const top =
    bare === 'true'
      ? await readGitLine(path, 'rev-parse', '--absolute-git-dir')
      : await readGitLine(path, 'rev-parse', '--show-toplevel');
  return (
    top ??
    refuseRepository(
      `--repo: ${path} is not a git repository. Give the folder of one, or its slug at a forge.`,
    )
  );
}

async function resolveLocalRepository(top: string, slug: string): Promise<RunRepository> {
  if ((await readGitLine(top, 'rev-parse', '--verify', 'HEAD^{commit}')) === null)
    refuseRepository(`--repo: ${top} has no commit yet. Make the first one.`);
  if ((await readGitLine(top, 'rev-parse', '--is-shallow-repository')) === 'true')
    refuseRepository(
      `--repo: ${top} is a shallow clone, so its branches cannot be merged. Fetch the rest: git fetch --unshallow (GitHub Actions: fetch-depth: 0; GitLab CI: GIT_DEPTH: 0).`,
    );
  if ((await readGitLine(top, 'symbolic-ref', '-q', 'HEAD')) === null)
    refuseRepository(
      `--repo: HEAD of ${top} is detached, so svc knows no base branch. Check one out: git switch -c main.`,
    );
  const { uid } = await stat(top);
  if (process.getuid && uid !== process.getuid() && process.env.SUDO_UID !== String(uid))
    refuseRepository(
      `--repo: ${top} belongs to another user (${uid}), and git does not clone from it. Run svc as that user, or give the folder to this one: chown -R "$(id -u)" ${top}`,
    );
  const roots = await readGitLine(top, 'rev-list', '--max-parents=0', 'HEAD');
  const identity = `first commit ${roots?.split('\n').sort().at(0)}`;
  return { slug, forge: LOCAL, path: top, identity };
}

/**
 * The repository that `--repo` names: a slug, or a folder. A folder whose `origin` is at one of the
 * sites is worked on there; any other one is of the local forge. Throws SvcError `bad-argument`.
 */
export async function resolveRunRepository(
  argument: string,
  context: {
    cwd: string;
    homeDir: string;
    /** `--git-provider`; null = not given. */
    forge: string | null;
    sites: readonly RunSite[];
    /** Slug that it must have, as that of a kept job; null = its folder's name. */
    slug: string | null;
  },
): Promise<RunRepository> {
  const { cwd, homeDir, forge, sites } = context;
  if (!looksLikePath(argument)) return { slug: argument, forge, path: null, identity: argument };
  const top = await findRepositoryTop(resolve(resolveUserPath(argument, cwd, homeDir)));
  const remote = await readGitLine(top, 'remote', 'get-url', 'origin');
  const siteRepository = findSiteRepository(
    remote,
    sites.filter((site) => forge === null || site.forge === forge),
  );
  if (siteRepository !== null && forge !== LOCAL)
    return { ...siteRepository, path: null, identity: siteRepository.slug };
  if (forge !== null && forge !== LOCAL)
    refuseRepository(
      `--repo: origin of ${top} is on ${forge}, which svc cannot use without a token. Give the slug instead, or a ${forge} token in the environment.`,
    );
  return resolveLocalRepository(top, context.slug ?? deriveSlug(top));
}
