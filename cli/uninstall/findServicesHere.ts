import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { decodeServiceFile } from '../service/installService.ts';
import type { ServiceManager } from '../service/serviceManager.ts';
import { MARK, type ServicePlan } from '../service/buildServicePlan.ts';
import { escapeXml } from '../service/renderWindowsTask.ts';

export interface KnownManager {
  manager: ServiceManager;
  /** Of the machine: to change one needs root. */
  isSystem: boolean;
}

export interface HomeService extends KnownManager {
  file: string;
}

export interface ServicesHere {
  own: HomeService[];
  others: string[];
}

const NAMES = /^(?:svc(?:-[0-9a-f]{8})?\.service|dev\.svc(?:-[0-9a-f]{8})?\.runner\.plist)$/;

const listPathForms = (path: string): string[] => [
  path,
  path.replaceAll('%', '%%'),
  escapeXml(path),
];
const mentionsPath = (text: string, path: string): boolean =>
  listPathForms(path).some((form) => text.includes(form));

/** The text of a file that svc wrote for a service manager; null = svc did not write it. */
async function readServiceText(file: string): Promise<string | null> {
  const bytes = await readFile(file).catch(() => null);
  const text = bytes === null ? '' : decodeServiceFile(bytes);
  return text.includes(MARK) ? text : null;
}

/** The services of the home of the plan, and those that use the program in `root` as well. */
export async function findServicesHere(
  managers: readonly KnownManager[],
  plan: ServicePlan,
  root: string,
): Promise<ServicesHere> {
  const found: ServicesHere = { own: [], others: [] };
  for (const known of managers) {
    const file = known.manager.files(plan)[0]?.path;
    if (file === undefined) continue;
    const folder = dirname(file);
    const files = existsSync(folder)
      ? (await readdir(folder).catch(() => [])).filter((name) => NAMES.test(name)).sort()
      : [];
    for (const path of new Set([file, ...files.map((name) => join(folder, name))])) {
      const text = await readServiceText(path);
      if (text === null) continue;
      if (path === file && mentionsPath(text, plan.home)) found.own.push({ ...known, file });
      else if (mentionsPath(text, root)) found.others.push(path);
    }
  }
  return found;
}
