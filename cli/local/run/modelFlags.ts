import { toFields } from '../../../src/base/json/untrusted.ts';
import { combinePatches } from '../../../src/host/config/file/mergePatch.ts';
import type { Env } from '../../../src/host/config/home/env.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { ConfigPatch } from '../../../src/contract/schema/runner/config.ts';
import {
  type ChosenValue,
  toChosenValue,
  buildChosenPatch,
} from '../../../src/host/setUp/chosenValues.ts';
import { MODEL_SETTINGS } from '../../../src/host/setUp/modelSettings.ts';
import type { Io } from '../../io.ts';
import { buildBuiltinAnswer } from '../../setUp/buildBuiltinAnswer.ts';
import type { GivenModel } from '../../setUp/modelFlags.ts';

const object = (value: unknown): ConfigPatch => ({ ...toFields(value) });

/** svc's own agent: of an address or a key that comes without one. */
const BUILTIN = 'builtin';

/** Address and key of an executor other than svc's own. Throws SvcError `bad-argument`. */
function otherValues(executor: string, { apiKey, baseUrl }: GivenModel): ChosenValue[] {
  const settings = MODEL_SETTINGS[executor];
  if (settings === undefined)
    throw new SvcError(
      'bad-argument',
      `${baseUrl === null ? '--api-key' : '--base-url'}: svc does not know which setting of ${executor} holds it. Set it in the file of --config, in plugins.installed.${executor.split(':')[0]}.config.`,
    );
  const at = (name: string): string[] => ['plugins', 'installed', settings.plugin, 'config', name];
  return [
    ...(baseUrl === null ? [] : [toChosenValue(at(settings.baseUrl), baseUrl)]),
    ...(apiKey === null ? [] : [toChosenValue(at(settings.apiKey), apiKey)]),
  ];
}

/**
 * The configuration of a run with the model endpoint that its flags name, as `svc init` would write
 * it. Without an address and a key it stays as it is. Throws SvcError `bad-argument`.
 */
export async function withModelFlags(
  config: Record<string, unknown>,
  flags: GivenModel,
  { env, fetch, err }: { env: Env } & Pick<Io, 'fetch' | 'err'>,
): Promise<Record<string, unknown>> {
  if (flags.baseUrl === null && flags.apiKey === null) return config;
  const { defaultProvider } = object(config.llm);
  const executor = flags.agent ?? (typeof defaultProvider === 'string' ? defaultProvider : BUILTIN);
  if (executor !== BUILTIN)
    return combinePatches(config, buildChosenPatch(otherValues(executor, flags)));
  const own = object(object(object(config.plugins).installed)[BUILTIN]);
  const builtin = {
    ...(typeof own.enabled === 'boolean' ? { enabled: own.enabled } : {}),
    config: object(own.config),
  };
  const facts = {
    config: { plugins: { installed: { [BUILTIN]: builtin } } },
    endpoints: [],
    hostEnv: env,
  };
  const { values, notes } = await buildBuiltinAnswer(facts, flags, { fetch });
  for (const note of notes) err(`Warning: ${note}\n`);
  return combinePatches(config, buildChosenPatch(values.filter(({ value }) => value !== null)));
}
