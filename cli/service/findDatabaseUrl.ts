import type { Io } from '../io.ts';
import { buildServicePlan } from './buildServicePlan.ts';
import { readDatabaseFile } from './cloudService.ts';

/**
 * The database of the control plane of a home: DATABASE_URL, else what its service uses; null = the one that svc
 * has made for it.
 */
export async function findDatabaseUrl(
  { env, homeDir }: Pick<Io, 'env' | 'homeDir'>,
  home: string,
): Promise<string | null> {
  const given = env.DATABASE_URL?.trim();
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
    const url = await readDatabaseFile(plan.environmentFile);
    if (url !== null) return url;
  }
  return null;
}
