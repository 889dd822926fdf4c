import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { Compile, type Validator } from 'typebox/compile';
import { SvcError } from '../base/errors/errors.ts';
import { escapeHidden } from '../base/text/escapeHidden.ts';
import { listReservedSettings } from './givenSettings.ts';
import { readPackageJson } from './packageJson.ts';
import { PluginManifest } from '../contract/schema/runner/plugin.ts';
import { explainWebhookFault } from '../providers/hooks/signedText.ts';

const MAX_MISTAKES = 8;

export interface PluginPackage {
  manifest: PluginManifest;
  version: string;
  /** Absolute path of the entry module. */
  entry: string;
  needsNpm: boolean;
}

const createManifestError = (what: string): SvcError =>
  new SvcError('invalid', `The plugin's manifest is not valid: ${escapeHidden(what)}`);

/** Version of the contract that this svc has. */
const CONTRACT = 1;
export const PLUGIN_KINDS = ['executor', 'scm', 'tracker', 'decider'] as const;
const isPluginKind = (value: unknown): boolean => PLUGIN_KINDS.some((kind) => kind === value);
/** The kind that an offer belongs to; offers that are not listed belong to all kinds. */
export const OFFERED_BY: Readonly<Record<string, PluginManifest['kind']>> = {
  models: 'executor',
  login: 'executor',
  createRepository: 'scm',
  changes: 'scm',
  repositoryAt: 'scm',
  issueAt: 'tracker',
  commentIn: 'tracker',
};

let validator: Validator | undefined;

const listManifestMistakes = (checker: Validator, value: unknown): string[] => {
  const text = checker.Errors(value).flatMap((error) => {
    const where = `svc${error.instancePath.replaceAll('/', '.')}`;
    if (error.keyword === 'additionalProperties')
      return error.params.additionalProperties.map((name) => `${where}.${name} is not known`);
    if (error.keyword === 'required')
      return error.params.requiredProperties.map((name) => `${where}.${name} is missing`);
    if (error.keyword === 'enum')
      return `${where} must be one of ${error.params.allowedValues.join(', ')}`;
    // Already reported by additionalProperties.
    return error.keyword === 'boolean' ? [] : [`${where} ${error.message}`];
  });
  return [...new Set(text)].slice(0, MAX_MISTAKES);
};

/** The manifest with hidden characters in its texts escaped. */
const escapeManifestTexts = (manifest: PluginManifest): PluginManifest => ({
  ...manifest,
  title: escapeHidden(manifest.title),
  ...(manifest.settings
    ? {
        settings: Object.fromEntries(
          Object.entries(manifest.settings).map(([name, setting]) => [
            name,
            { ...setting, description: escapeHidden(setting.description) },
          ]),
        ),
      }
    : {}),
});

/**
 * Checks the member `svc` of a package.json and escapes hidden characters in its texts. Throws
 * SvcError `invalid` with every mistake.
 */
export function parsePluginManifest(value: unknown): PluginManifest {
  validator ??= Compile(PluginManifest);
  if (value === undefined)
    throw createManifestError(
      'package.json has no member "svc". A package with one is written by: svc plugin init <id>.',
    );
  const { contract, kind: givenKind } = Object(value);
  if (contract !== undefined && contract !== CONTRACT)
    throw createManifestError(
      `it is built for contract ${JSON.stringify(contract)}; this svc has ${CONTRACT}.`,
    );
  if (givenKind !== undefined && !isPluginKind(givenKind))
    throw createManifestError(
      `svc.kind ${JSON.stringify(givenKind)} is not a kind of plugin. Use one of: ${PLUGIN_KINDS.join(', ')}.`,
    );
  if (!validator.Check(value))
    throw createManifestError(`${listManifestMistakes(validator, value).join('; ')}.`);
  const manifest = value as PluginManifest;
  const { entry, kind, capabilities, variants, offers = [] } = manifest;
  if (isAbsolute(entry) || /^[a-z]+:/i.test(entry) || entry.split(/[/\\]/).includes('..'))
    throw createManifestError(
      `svc.entry "${entry}" leaves the package. Write a path inside it, such as ./dist/index.js.`,
    );
  if (kind === 'executor' && !capabilities)
    throw createManifestError(
      'svc.capabilities is missing; an executor must declare what it can do.',
    );
  if (kind !== 'executor' && capabilities)
    throw createManifestError('svc.capabilities is for executors only.');
  if ((capabilities?.chat ?? 'none') !== 'none')
    throw createManifestError(
      'svc.capabilities.chat must be "none" or left out: only executors that are part of svc hold plan-mode chats.',
    );
  if (capabilities?.stopsBetweenCalls === true && capabilities.reportsUsage !== 'each-call')
    throw createManifestError(
      'svc.capabilities.stopsBetweenCalls needs reportsUsage "each-call": svc can only stop after a call that was reported.',
    );
  if (kind !== 'executor' && variants)
    throw createManifestError('svc.variants is for executors only.');
  const webhookFault = manifest.webhook ? explainWebhookFault(manifest.webhook) : null;
  if (webhookFault !== null) throw createManifestError(`svc.webhook: ${webhookFault}.`);
  for (const [offer, needed] of Object.entries(OFFERED_BY)) {
    if (kind !== needed && offers.some((one) => one === offer))
      throw createManifestError(`svc.offers "${offer}" is for plugins of kind ${needed} only.`);
  }
  if (kind === 'tracker' && manifest.webhook && !offers.includes('commentIn'))
    throw createManifestError(
      'svc.webhook of a tracker needs "commentIn" in svc.offers: the method that says which comment a delivery reports.',
    );
  if (!manifest.webhook && offers.includes('commentIn'))
    throw createManifestError(
      'svc.offers "commentIn" needs svc.webhook: how deliveries are signed. Without it none are accepted.',
    );
  for (const name of listReservedSettings(manifest).filter((one) =>
    Object.hasOwn(manifest.settings ?? {}, one),
  ))
    throw createManifestError(
      `svc.settings.${name}: svc gives every ${kind === 'scm' ? 'forge' : 'tracker with a webhook'} this setting. Use another name.`,
    );
  return escapeManifestTexts(manifest);
}

/**
 * Reads the package.json of a plugin's folder without running anything. Throws SvcError `invalid`
 * with the reason, also for an entry that a link leads out of the folder.
 */
export async function readPackage(dir: string): Promise<PluginPackage> {
  const json = await readPackageJson(dir);
  if (json.svc === undefined && json.oclif !== undefined) {
    throw new SvcError(
      'invalid',
      'The package adds commands and is not a plugin of the runner. Use: svc plugins install',
    );
  }
  const manifest = parsePluginManifest(json.svc);
  let entry: string;
  try {
    entry = await realpath(join(dir, manifest.entry));
  } catch {
    throw createManifestError(
      `svc.entry names ${manifest.entry}, which is not in the package. Build it first, and list it in "files".`,
    );
  }
  const inside = relative(await realpath(dir), entry);
  if (inside.startsWith(`..${sep}`) || isAbsolute(inside))
    throw createManifestError(`svc.entry ${manifest.entry} is outside the package.`);
  return {
    manifest,
    version: typeof json.version === 'string' ? escapeHidden(json.version.slice(0, 100)) : '0.0.0',
    entry,
    needsNpm: Object.keys(Object(json.dependencies)).length > 0,
  };
}
