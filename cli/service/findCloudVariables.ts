import type { Io } from '../io.ts';
import { buildServicePlan } from './buildServicePlan.ts';
import { CLOUD_KEY_VARIABLE, DATABASE_VARIABLE, readServiceVariable } from './cloudService.ts';

type Place = Pick<Io, 'env' | 'homeDir'>;

/**
 * The database of the control plane of a home: DATABASE_URL, else what its service uses; null = the one that svc
 * has made for it.
 */
export const findDatabaseUrl = (io: Place, home: string): Promise<string | null> =>
  findVariable(io, home, DATABASE_VARIABLE);

/** What secrets are sealed with there: SVC_CLOUD_KEY, else that of its service; null = neither has one. */
export const findCloudKey = (io: Place, home: string): Promise<string | null> =>
  findVariable(io, home, CLOUD_KEY_VARIABLE);

async function findVariable(
  { env, homeDir }: Place,
  home: string,
  name: string,
): Promise<string | null> {
  const given = env[name]?.trim();
  if (given !== undefined && given !== '') return given;
  for (const systemUser of [null, '']) {
    const { plan } = buildServicePlan({
      more: [],
      node: '',
      script: '',
      version: '',
      home,
      userHome: homeDir,
      systemUser,
      env,
    });
    const value = await readServiceVariable(plan.environmentFile, name);
    if (value !== null) return value;
  }
  return null;
}
