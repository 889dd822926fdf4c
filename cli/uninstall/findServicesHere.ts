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
  plan: ServicePlan;
}

export interface ServicesHere {
  own: HomeService[];
  others: string[];
}

const NAMES =
  /^(?:svc(?:-cloud)?(?:-[0-9a-f]{8})?\.service|dev\.svc(?:-cloud)?(?:-[0-9a-f]{8})?\.(?:runner|control-plane)\.plist)$/;

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

/** The services of a home, one plan each, and those that use the program in `root` as well. */
export async function findServicesHere(
  managers: readonly KnownManager[],
  plans: readonly ServicePlan[],
  root: string,
): Promise<ServicesHere> {
  const servicesHere: ServicesHere = { own: [], others: [] };
  for (const manager of managers) {
    const own = new Map(
      plans.flatMap((plan) => {
        const file = manager.manager.files(plan)[0]?.path;
        return file === undefined ? [] : [[file, plan] as const];
      }),
    );
    const folders = new Set([...own.keys()].map(dirname));
    const files = await Promise.all([...folders].map(listServiceFiles));
    for (const file of new Set([...own.keys(), ...files.flat()])) {
      const text = await readServiceText(file);
      if (text === null) continue;
      const plan = own.get(file);
      if (plan !== undefined && mentionsPath(text, plan.home))
        servicesHere.own.push({ ...manager, file, plan });
      else if (mentionsPath(text, root)) servicesHere.others.push(file);
    }
  }
  return servicesHere;
}

async function listServiceFiles(folder: string): Promise<string[]> {
  const names = existsSync(folder) ? await readdir(folder).catch(() => []) : [];
  return names
    .filter((name) => NAMES.test(name))
    .sort()
    .map((name) => join(folder, name));
}
