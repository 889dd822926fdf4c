import {
  explainBadRelativePath,
  explainBadSubmoduleSource,
} from '../../../base/settings/checkouts.ts';
import type { Config } from '../configSchema.ts';

/** Mistakes of checkouts that no schema sees: names used twice, paths, too few ports. */
export function reportCheckoutMistakes(
  { checkout: { ports, repositories }, forges }: Config,
  report: (path: (string | number)[], message: string) => void,
): void {
  const { first, last, perCheckout } = ports;
  if (last - first + 1 < perCheckout)
    report(
      ['checkout', 'ports', 'last'],
      `checkout.ports has room for ${Math.max(0, last - first + 1)} ports, but one checkout gets ${perCheckout}. Raise last, or lower perCheckout.`,
    );
  const seenNames = new Set<string>();
  for (const [
    index,
    { repo, caches = [], copyFiles = [], copyFrom, submodules = [] },
  ] of repositories.entries()) {
    const at = ['checkout', 'repositories', index];
    const name = repo.toLowerCase();
    if (seenNames.has(name))
      report([...at, 'repo'], `Two entries of checkout.repositories name ${repo}. Join them.`);
    seenNames.add(name);
    for (const [place, path] of copyFiles.entries()) {
      const why = explainBadRelativePath(path);
      if (why !== null)
        report(
          [...at, 'copyFiles', place],
          `checkout.repositories[${index}].copyFiles[${place}] is "${path}", which ${why}. Write a path below copyFrom, such as .env.local.`,
        );
    }
    const hasFolder = Object.keys(forges.local.repos).some((slug) => slug.toLowerCase() === name);
    if (copyFiles.length > 0 && copyFrom === undefined && !hasFolder)
      report(
        [...at, 'copyFiles'],
        `checkout.repositories[${index}].copyFiles needs copyFrom, because ${repo} is not in forges.local.repos. Name the folder of your own clone.`,
      );
    for (const [place, entry] of submodules.entries()) {
      const why = explainBadSubmoduleSource(entry);
      if (why !== null)
        report(
          [...at, 'submodules', place],
          `checkout.repositories[${index}].submodules[${place}] ${why}. Write the slug of a repository of the same forge, such as acme/library, or a public address, such as https://git.example.org/acme/library.git.`,
        );
    }
    for (const [place, path] of caches.entries()) {
      const why = explainBadRelativePath(path);
      if (why !== null)
        report(
          [...at, 'caches', place],
          `checkout.repositories[${index}].caches[${place}] is "${path}", which ${why}. Write a folder below the agents' HOME, such as .npm.`,
        );
    }
  }
}
