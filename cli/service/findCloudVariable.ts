import type { Io } from '../io.ts';
import { buildServicePlan } from './buildServicePlan.ts';
import { readCloudVariable } from './cloudVariables.ts';

/**
 * A variable of the control plane of a home, such as DATABASE_URL: of this shell, else what its service has; null =
 * neither.
 */
export async function findCloudVariable(
  { env, homeDir }: Pick<Io, 'env' | 'homeDir'>,
  home: string,
  name: string,
): Promise<string | null> {
  const variableValue = env[name]?.trim();
  if (variableValue !== undefined && variableValue !== '') return variableValue;
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
    const value = await readCloudVariable(plan.environmentFile, name);
    if (value !== null) return value;
  }
  return null;
}
